using Larder.Harness.Clocks;
using Larder.Harness.Processes;

namespace Larder.FileStore.Tests;

/// <summary>
/// Tests a folder that changes while caches have the cache file open. The folder is a symbolic link that is switched to another folder, or a folder that is
/// replaced.
/// </summary>
public sealed class SwitchedFolderTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("larder-filestore-").FullName;
    private readonly ManualTime _time = new();

    public SwitchedFolderTests()
    {
        Directory.CreateDirectory(Path.Combine(_root, "r1", "cache"));
        Directory.CreateDirectory(Path.Combine(_root, "r2", "cache"));
        Point("r1");
    }

    public static TheoryData<string> Switches => new("link", "folder");

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Theory]
    [MemberData(nameof(Switches))]
    public void Set_after_folder_switch_waits_for_lock_of_new_folder(string what)
    {
        using DistributedFileStoreCacheString old = Open(o => o.LockTimeout = TimeSpan.FromMilliseconds(200));
        old.Set("before", "1");
        Switch(what);
        using DistributedFileStoreCacheString fresh = Open();
        fresh.Set("fresh", "2");
        using (fresh.Handler.Engine.HoldLock())
        {
            Assert.Throws<DistributedFileStoreCacheException>(() => old.Set("old", "3"));
        }
        old.Set("old", "3");
        Assert.Equal("3", fresh.Get("old"));
        Assert.Equal("2", old.Get("fresh"));
        Assert.Null(old.Get("before"));
        Assert.NotNull(old.Status.LastFault);
        Assert.Null(old.Status.Fault);
    }

    [Theory]
    [MemberData(nameof(Switches))]
    public async Task Concurrent_writes_after_folder_switch_lose_no_entry(string what)
    {
        const int sets = 2000;
        using DistributedFileStoreCacheString old = Open();
        using DistributedFileStoreCacheString waiting = Open();
        old.Set("before", "1");
        Switch(what);
        using DistributedFileStoreCacheString fresh = Open();
        DistributedFileStoreCacheString[] writers = [old, waiting, fresh];
        await Task.WhenAll(writers.Select((cache, writer) => Task.Run(() =>
        {
            for (int i = 0; i < sets; i++)
            {
                cache.Set($"{writer}-{i}", "x");
            }
        })));
        using DistributedFileStoreCacheString third = Open();
        foreach (DistributedFileStoreCacheString cache in (DistributedFileStoreCacheString[])[.. writers, third])
        {
            Assert.Equal(sets * writers.Length, cache.Count);
        }
    }

    [Theory]
    [MemberData(nameof(Switches))]
    public async Task SetAsync_after_folder_switch_writes_to_new_folder(string what)
    {
        using DistributedFileStoreCacheString old = Open();
        Switch(what);
        using DistributedFileStoreCacheString fresh = Open();
        await old.SetAsync("old", "1");
        await fresh.SetAsync("fresh", "2");
        Assert.Equal("1", fresh.Get("old"));
        Assert.Equal("2", old.Get("fresh"));
    }

    [Theory]
    [MemberData(nameof(Switches))]
    public void Compaction_after_folder_switch_does_not_change_new_file(string what)
    {
        using DistributedFileStoreCacheString old = Open();
        old.Set("key", "old");
        Switch(what);
        using DistributedFileStoreCacheString fresh = Open();
        fresh.Set("key", "fresh");
        byte[] before = File.ReadAllBytes(fresh.Handler.Engine.Path);
        Assert.False(old.Handler.Compact());
        Assert.Equal(before, File.ReadAllBytes(fresh.Handler.Engine.Path));
        Assert.Empty(Directory.GetFiles(_root, "*.tmp", SearchOption.AllDirectories));
        Assert.Equal(0, fresh.Status.Faults);
    }

    [Theory]
    [MemberData(nameof(Switches))]
    public void Get_reads_new_folder_within_a_second_of_switch(string what)
    {
        using DistributedFileStoreCacheString old = Open(o => o.TimeProvider = _time);
        using DistributedFileStoreCacheString reader = Open(o => (o.TimeProvider, o.ReadOnly) = (_time, true));
        old.Set("key", "old");
        Switch(what);
        using DistributedFileStoreCacheString fresh = Open();
        fresh.Set("key", "fresh");
        _time.Advance(TimeSpan.FromSeconds(1.1));
        Assert.Equal("fresh", old.Get("key"));
        Assert.Equal("fresh", reader.Get("key"));
        fresh.Set("key", "again");
        Assert.Equal("again", old.Get("key"));
        Assert.Equal("again", reader.Get("key"));
    }

    [Fact]
    public void Switching_folder_link_back_restores_earlier_entries()
    {
        using DistributedFileStoreCacheString cache = Open();
        cache.Set("first", "1");
        Point("r2");
        cache.Set("second", "2");
        Point("r1");
        cache.Set("third", "3");
        Assert.Equal("1", cache.Get("first"));
        Assert.Null(cache.Get("second"));
        Point("r2");
        cache.Set("fourth", "4");
        Assert.Equal("2", cache.Get("second"));
        Assert.Null(cache.Get("third"));
    }

    [Fact]
    public void Deleted_target_of_folder_link_is_recreated()
    {
        using DistributedFileStoreCacheString cache = Open(o => o.PathToCacheFileDirectory = Path.Combine(_root, "current"));
        cache.Set("key", "1");
        Directory.Delete(Path.Combine(_root, "r1"), recursive: true);
        cache.Set("after", "2");
        Assert.Null(cache.Get("key"));
        Directory.Delete(Path.Combine(_root, "r1"), recursive: true);
        using DistributedFileStoreCacheString fresh = Open(o => o.PathToCacheFileDirectory = Path.Combine(_root, "current"));
        fresh.Set("fresh", "3");
        Assert.True(Directory.Exists(Path.Combine(_root, "r1")));
    }

    [Fact]
    public void Folder_moved_away_and_back_is_not_recreated()
    {
        using DistributedFileStoreCacheString cache = Open(o => o.LockTimeout = TimeSpan.FromSeconds(60));
        cache.Set("key", "1");
        string folder = Path.Combine(_root, "r1", "cache");
        Directory.Move(folder, folder + ".away");
        cache.Handler.CreateNewCacheFileIfMissingWithRetry();
        Directory.Move(folder + ".away", folder);
        cache.Set("more", "2");
        Assert.Equal("1", cache.Get("key"));
        Assert.Equal("2", cache.Get("more"));
    }

    private DistributedFileStoreCacheString Open(Action<DistributedFileStoreCacheOptions>? change = null)
    {
        DistributedFileStoreCacheOptions options = new()
        {
            PathToCacheFileDirectory = Path.Combine(_root, "current", "cache"),
            SecondPartOfCacheFileName = "Test",
            LockTimeout = TimeSpan.FromSeconds(60),
        };
        change?.Invoke(options);
        return new DistributedFileStoreCacheString(options);
    }

    private void Switch(string what)
    {
        if (what == "link")
        {
            Point("r2");
            return;
        }
        Directory.Move(Path.Combine(_root, "r1"), Path.Combine(_root, "r0"));
        Directory.Move(Path.Combine(_root, "r2"), Path.Combine(_root, "r1"));
    }

    /// <summary>Switches the link as deployments do, by renaming a new link over the existing link.</summary>
    private void Point(string to)
    {
        string next = Path.Combine(_root, "next");
        Directory.CreateSymbolicLink(next, to);
        Rename(next, Path.Combine(_root, "current"));
    }

    private static void Rename(string from, string to) =>
        ProgramRun.Of(new ProgramCommand("mv", "mv", ["-T", from, to])).Require("mv");
}
