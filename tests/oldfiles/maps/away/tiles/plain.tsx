<?xml version="1.0" encoding="UTF-8"?>
<tileset name="plain" tilewidth="32" tileheight="32" tilecount="4" columns="4">
  <tile id="1"><properties><property name="move" value="blocked"/><property name="sight" value="blocked"/></properties></tile>
  <tile id="2"><properties><property name="move" value="difficult"/></properties></tile>
 </tileset>