<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.10.2" name="battlemat" tilewidth="64" tileheight="64" tilecount="80" columns="8">
 <image source="battlemat.png" width="512" height="640"/>
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

 <tile id="48">
  <properties>
   <property name="material" value="silt"/>
   <property name="move" propertytype="Move" value="difficult"/>
  </properties>
 </tile>
 <tile id="49">
  <properties>
   <property name="material" value="mossy"/>
  </properties>
 </tile>
 <tile id="50">
  <properties>
   <property name="material" value="tiles"/>
  </properties>
 </tile>
 <tile id="51">
  <properties>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="well"/>
  </properties>
 </tile>
 <tile id="52">
  <properties>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="gravestone"/>
  </properties>
 </tile>
 <tile id="53">
  <properties>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="grave_cross"/>
  </properties>
 </tile>
 <tile id="54">
  <properties>
   <property name="move" propertytype="Move" value="difficult"/>
   <property name="prop" value="pew"/>
  </properties>
 </tile>
 <tile id="55">
  <properties>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="bookshelf"/>
   <property name="sight" propertytype="Sight" value="blocked"/>
  </properties>
 </tile>
 <tile id="56">
  <properties>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="desk"/>
  </properties>
 </tile>
 <tile id="57">
  <properties>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="bell"/>
  </properties>
 </tile>
 <tile id="58">
  <properties>
   <property name="prop" value="boat"/>
  </properties>
 </tile>
 <tile id="59">
  <properties>
   <property name="light" type="int" value="3"/>
   <property name="prop" value="candles"/>
  </properties>
 </tile>
 <tile id="60">
  <properties>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="lectern"/>
  </properties>
 </tile>
 <tile id="61">
  <properties>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="font"/>
  </properties>
 </tile>
 <tile id="62">
  <properties>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="statue"/>
   <property name="sight" propertytype="Sight" value="blocked"/>
  </properties>
 </tile>
 <tile id="63">
  <properties>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="windlass"/>
  </properties>
 </tile>
 <tile id="64">
  <properties>
   <property name="move" propertytype="Move" value="difficult"/>
   <property name="prop" value="reeds"/>
  </properties>
 </tile>
 <tile id="65">
  <properties>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="cauldron"/>
  </properties>
 </tile>
 <tile id="66">
  <properties>
   <property name="move" propertytype="Move" value="difficult"/>
   <property name="prop" value="broken_pillar"/>
  </properties>
 </tile>
 <tile id="67">
  <properties>
   <property name="prop" value="net"/>
  </properties>
 </tile>
 <tile id="68">
  <properties>
   <property name="prop" value="lilies"/>
  </properties>
 </tile>
 <tile id="69">
  <properties>
   <property name="light" type="int" value="5"/>
   <property name="move" propertytype="Move" value="blocked"/>
   <property name="prop" value="chandelier"/>
  </properties>
 </tile>
 <tile id="70">
  <properties>
   <property name="level" type="int" value="1"/>
   <property name="material" value="tiles"/>
  </properties>
 </tile>
 <tile id="71">
  <properties>
   <property name="level" type="int" value="1"/>
   <property name="material" value="mossy"/>
  </properties>
 </tile>
 <tile id="72">
  <properties>
   <property name="move" propertytype="Move" value="difficult"/>
   <property name="prop" value="reliquary"/>
  </properties>
 </tile>
</tileset>
