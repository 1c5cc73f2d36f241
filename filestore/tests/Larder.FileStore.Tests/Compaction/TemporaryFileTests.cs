namespace Larder.FileStore.Tests;

/// <summary>Tests that opening a cache deletes the temporary files of killed compactions, but not the file of a running compaction.</summary>
public sealed class TemporaryFileTests : IDisposable
{
    private readonly ScratchFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    /// <summary>.NET locks a file shortly after creating it. If another process locks the file before that, the creation fails.</summary>
    [StraceFact]
    public void Cleanup_does_not_open_temporary_file_of_running_compaction()
    {
        using Peer peer = Peer.Start(_folder);
        Assert.Equal("done", peer.Do("fill key 10"));
        string made = Path.Combine(_folder.Path, "Cache.Test.jsonl.g99.1.tmp");
        File.WriteAllText(made, "");
        string log = Path.Combine(_folder.Path, "calls");
        using (Strace.Watch(peer, log))
        {
            Assert.Equal("done", peer.Do("compact"));
        }
        string[] calls = [.. File.ReadLines(log).Where(l => l.Contains(made))];
        Assert.NotEmpty(calls);
        Assert.DoesNotContain(calls, l => l.StartsWith("open", StringComparison.Ordinal));
    }

    [Fact]
    public void Open_deletes_abandoned_temporary_files()
    {
        string written = Path.Combine(_folder.Path, "Cache.Test.jsonl.g2.1.tmp");
        string empty = Path.Combine(_folder.Path, "Cache.Test.jsonl.g2.2.tmp");
        string fresh = Path.Combine(_folder.Path, "Cache.Test.jsonl.g2.3.tmp");
        File.WriteAllText(written, "something");
        File.WriteAllText(empty, "");
        File.SetLastWriteTimeUtc(empty, DateTime.UtcNow.AddMinutes(-2));
        File.WriteAllText(fresh, "");
        _folder.Open().Dispose();
        Assert.Equal((false, false, true), (File.Exists(written), File.Exists(empty), File.Exists(fresh)));
    }
}
