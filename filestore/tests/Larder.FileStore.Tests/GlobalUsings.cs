global using Larder.FileStore.Engine;
global using Larder.FileStore.Tests.Support;
global using Microsoft.Extensions.Caching.Distributed;

[assembly: System.Runtime.Versioning.SupportedOSPlatform("linux")]
