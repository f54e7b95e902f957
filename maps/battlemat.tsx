<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.10.2" name="battlemat" tilewidth="64" tileheight="64" tilecount="48" columns="8">
 <image source="battlemat.png" width="512" height="384"/>
 <tile id="0">
  <properties>
   <property name="material" value="slate"/>
  </properties>
 </tile>
 <tile id="1">
  <properties>
   <property name="material" value="slate"/>
  </properties>
 </tile>
 <tile id="2">
  <properties>
   <property name="material" value="stone"/>
  </properties>
 </tile>
 <tile id="3">
  <properties>
   <property name="material" value="earth"/>
  </properties>
 </tile>
 <tile id="4">
  <properties>
   <property name="material" value="mud"/>
   <property name="move" propertytype="Move" value="difficult"/>
  </properties>
 </tile>
 <tile id="5">
  <properties>
   <property name="material" value="wood"/>
  </properties>
 </tile>
 <tile id="6">
  <properties>
   <property name="material" value="grass"/>
  </properties>
 </tile>
 <tile id="7">
  <properties>
   <property name="material" value="shallows"/>
   <property name="move" propertytype="Move" value="difficult"/>
  </properties>
 </tile>
 <tile id="8">
  <properties>
   <property name="material" value="water"/>
   <property name="move" propertytype="Move" value="gap"/>
  </properties>
 </tile>
 <tile id="9">
  <properties>
   <property name="material" value="bridge"/>
  </properties>
 </tile>
 <tile id="10">
  <properties>
   <property name="material" value="chasm"/>
   <property name="move" propertytype="Move" value="gap"/>
  </properties>
 </tile>
 <tile id="11">
  <properties>
   <property name="material" value="wall"/>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="sight" propertytype="Sight" value="blocked"/>
  </properties>
 </tile>
 <tile id="12">
  <properties>
   <property name="material" value="rockwall"/>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="sight" propertytype="Sight" value="blocked"/>
  </properties>
 </tile>
 <tile id="13">
  <properties>
   <property name="level" type="int" value="1"/>
   <property name="material" value="stone"/>
  </properties>
 </tile>
 <tile id="14">
  <properties>
   <property name="level" type="int" value="1"/>
   <property name="material" value="wood"/>
  </properties>
 </tile>
 <tile id="15">
  <properties>
   <property name="level" type="int" value="1"/>
   <property name="material" value="grass"/>
  </properties>
 </tile>
 <tile id="16">
  <properties>
   <property name="light" type="int" value="6"/>
   <property name="prop" value="torch"/>
  </properties>
 </tile>
 <tile id="17">
  <properties>
   <property name="light" type="int" value="6"/>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="brazier"/>
  </properties>
 </tile>
 <tile id="18">
  <properties>
   <property name="light" type="int" value="6"/>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="hearth"/>
  </properties>
 </tile>
 <tile id="19">
  <properties>
   <property name="move" propertytype="Move" value="difficult"/>
   <property name="prop" value="chest"/>
  </properties>
 </tile>
 <tile id="20">
  <properties>
   <property name="move" propertytype="Move" value="difficult"/>
   <property name="prop" value="table"/>
  </properties>
 </tile>
 <tile id="21">
  <properties>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="table"/>
  </properties>
 </tile>
 <tile id="22">
  <properties>
   <property name="prop" value="stool"/>
  </properties>
 </tile>
 <tile id="23">
  <properties>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="barrel"/>
  </properties>
 </tile>
 <tile id="24">
  <properties>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="crate"/>
  </properties>
 </tile>
 <tile id="25">
  <properties>
   <property name="move" propertytype="Move" value="difficult"/>
   <property name="prop" value="bed"/>
  </properties>
 </tile>
 <tile id="26">
  <properties>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="pillar"/>
   <property name="sight" propertytype="Sight" value="blocked"/>
  </properties>
 </tile>
 <tile id="27">
  <properties>
   <property name="move" propertytype="Move" value="difficult"/>
   <property name="prop" value="rubble"/>
  </properties>
 </tile>
 <tile id="28">
  <properties>
   <property name="climb" type="bool" value="true"/>
   <property name="prop" value="stairs"/>
  </properties>
 </tile>
 <tile id="29">
  <properties>
   <property name="climb" type="bool" value="true"/>
   <property name="prop" value="ladder"/>
  </properties>
 </tile>
 <tile id="30">
  <properties>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="sarcophagus"/>
  </properties>
 </tile>
 <tile id="31">
  <properties>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="altar"/>
  </properties>
 </tile>
 <tile id="32">
  <properties>
   <property name="prop" value="bones"/>
  </properties>
 </tile>
 <tile id="33">
  <properties>
   <property name="prop" value="rug"/>
  </properties>
 </tile>
 <tile id="34">
  <properties>
   <property name="move" propertytype="Move" value="difficult"/>
   <property name="prop" value="cobweb"/>
  </properties>
 </tile>
 <tile id="35">
  <properties>
   <property name="prop" value="mushroom"/>
  </properties>
 </tile>
 <tile id="36">
  <properties>
   <property name="move" propertytype="Move" value="difficult"/>
   <property name="prop" value="root"/>
  </properties>
 </tile>
 <tile id="37">
  <properties>
   <property name="prop" value="puddle"/>
  </properties>
 </tile>
 <tile id="38">
  <properties>
   <property name="prop" value="planks"/>
  </properties>
 </tile>
 <tile id="39">
  <properties>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="bridge_post"/>
  </properties>
 </tile>
 <tile id="40">
  <properties>
   <property name="prop" value="banner"/>
  </properties>
 </tile>
 <tile id="41">
  <properties>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="mushroom"/>
  </properties>
 </tile>
 <tile id="42">
  <properties>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="rubble"/>
  </properties>
 </tile>
 <tile id="43">
  <properties>
   <property name="level" type="int" value="1"/>
   <property name="material" value="earth"/>
  </properties>
 </tile>
 <tile id="44">
  <properties>
   <property name="level" type="int" value="1"/>
   <property name="material" value="slate"/>
  </properties>
 </tile>
 <tile id="45">
  <properties>
   <property name="level" type="int" value="1"/>
   <property name="material" value="rockwall"/>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="sight" propertytype="Sight" value="blocked"/>
  </properties>
 </tile>
 <tile id="46">
  <properties>
   <property name="level" type="int" value="1"/>
   <property name="material" value="wall"/>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="sight" propertytype="Sight" value="blocked"/>
  </properties>
 </tile>
 <tile id="47">
  <properties>
   <property name="material" value="slate"/>
   <property name="move" propertytype="Move" value="difficult"/>
   <property name="prop" value="rubble"/>
  </properties>
 </tile>
</tileset>
