using Larder.Harness.Clocks;
using Microsoft.Extensions.Logging;

namespace Larder.FileStore.Tests;

/// <summary>Tests that the status reports a failed write, regardless of the step that failed.</summary>
public sealed class WriteFaultReportTests : IDisposable
{
    private readonly ScratchFolder _folder = new();
    private readonly ManualTime _time = new();

    public void Dispose() => _folder.Dispose();

    private DistributedFileStoreCacheString Open(ILoggerFactory? log = null)
    {
        DistributedFileStoreCacheString cache = _folder.Open(o => (o.TimeProvider, o.LoggerFactory) = (_time, log));
        cache.Set("key", "value");
        return cache;
    }

    private static void AssertReported(DistributedFileStoreCacheString cache)
    {
        Exception? thrown = Record.Exception(() => cache.Set("key", "other"));
        Assert.NotNull(thrown);
        Assert.True(thrown is IOException or DistributedFileStoreCacheException, thrown.ToString());
        Assert.Equal(thrown.Message, cache.Status.Fault);
        Assert.Equal(1, cache.Status.Faults);
    }

    private static void AssertNoFault(DistributedFileStoreCacheString cache)
    {
        cache.Set("key", "again");
        Assert.Equal("again", cache.Get("key"));
        Assert.Null(cache.Status.Fault);
    }

    [Fact]
    public void Status_reports_write_failure_when_folder_cannot_be_recreated()
    {
        using DistributedFileStoreCacheString cache = Open();
        Directory.Delete(_folder.Path, recursive: true);
        File.WriteAllText(_folder.Path, "in the way");
        AssertReported(cache);
        File.Delete(_folder.Path);
        AssertNoFault(cache);
    }

    [Fact]
    public void Status_reports_write_failure_when_interrupted_write_cannot_be_repaired()
    {
        using DistributedFileStoreCacheString cache = Open();
        File.WriteAllText(_folder.CacheFile, "{\"fsc\":2,\"something\":\"newer\"}\n");
        using (FileStream sidecar = new(_folder.CacheFile + ".idx", FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
        {
            sidecar.Position = 128;
            sidecar.WriteByte(1);
        }
        AssertReported(cache);
        File.Delete(_folder.CacheFile);
        AssertNoFault(cache);
    }

    [Fact]
    public void Status_reports_write_failure_when_lock_was_taken_over()
    {
        string file = _folder.CacheFile + ".lock";
        bool isTaken = false;
        HookedTime time = new(() => isTaken && File.Exists(file), () => File.WriteAllText(file, "another's"));
        using DistributedFileStoreCacheString cache = _folder.Open(o => (o.TimeProvider, o.Coherence) = (time, FileStoreCoherence.Polled));
        isTaken = true;
        AssertReported(cache);
        isTaken = false;
        File.Delete(file);
        AssertNoFault(cache);
    }

    [Fact]
    public void Status_reports_write_failure_when_file_changes_again_during_repair()
    {
        bool isHarmed = false;
        using LogSpy log = new()
        {
            Heard = line =>
            {
                if (isHarmed && line.Contains("recreated", StringComparison.Ordinal))
                {
                    isHarmed = false;
                    File.AppendAllText(_folder.CacheFile, "x");
                }
            },
        };
        using DistributedFileStoreCacheString cache = Open(log);
        isHarmed = true;
        File.WriteAllText(_folder.CacheFile, "not ours any more");
        Exception? thrown = Record.Exception(() => cache.Set("key", "other"));
        Assert.IsType<IOException>(thrown);
        Assert.Equal(thrown.Message, cache.Status.Fault);
        Assert.False(isHarmed);
        AssertNoFault(cache);
    }
}
