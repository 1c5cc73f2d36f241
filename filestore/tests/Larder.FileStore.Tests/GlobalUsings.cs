global using Larder.FileStore.Engine;
global using Larder.FileStore.Tests.Support;
global using Microsoft.Extensions.Caching.Distributed;
