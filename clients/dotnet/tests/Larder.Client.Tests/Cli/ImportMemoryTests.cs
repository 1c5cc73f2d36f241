using System.Text;
using Larder.Cli;
using Larder.Client.Tests.Support;

namespace Larder.Client.Tests.Cli;

/// <summary>Tests the memory use of an import. The memory is measured for the whole process, so no other test may run at the same time.</summary>
[Collection(nameof(SequentialTests))]
public sealed class ImportMemoryTests
{
    [Fact]
    public async Task Import_of_100_MB_uses_bounded_memory()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.Latest());
        Importer importer = new(client.Cache("cache"), null, TimeProvider.System);
        long before = GC.GetTotalMemory(forceFullCollection: true);
        byte[] line = Encoding.UTF8.GetBytes($"{{\"key\":\"k\",\"value\":\"{new string('v', 1_000)}\"}}\n");
        Assert.Null(await importer.RunAsync(new RepeatedStream(line, 100_000), default));
        Assert.Equal(100_000, importer.Stored);
        // The import has read about 100 MB, so the importer cannot have buffered all of it.
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, 40_000_000);
    }
}
