using Larder.DistributedCacheCases;
using Larder.Harness.Clocks;

namespace Larder.FileStore.Tests;

/// <summary>Runs the cases that both the file cache and the server's distributed cache must pass.</summary>
public sealed class DistributedCacheCasesTests : IDisposable
{
    private readonly ScratchFolder _folder = new();
    private readonly ManualTime _time = new();

    public static TheoryData<string, bool> Names => Cases.Names;

    public void Dispose() => _folder.Dispose();

    [Theory]
    [MemberData(nameof(Names))]
    public async Task File_cache_passes_shared_IDistributedCache_case(string name, bool blocking)
    {
        using DistributedFileStoreCacheBytes cache = new(_folder.Options(o => o.TimeProvider = _time));
        await Cases.RunAsync(name, blocking, new Cases.Subject(cache, _time, _time.Jump));
    }
}
