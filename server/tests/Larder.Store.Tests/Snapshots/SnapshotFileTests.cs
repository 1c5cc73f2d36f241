using Larder.FileStore.Tests.Support;
using Larder.Store.Snapshots;

namespace Larder.Store.Tests.Snapshots;

public sealed class SnapshotFileTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("larder-snapshot-").FullName;
    private readonly StoreFixture _before = new();
    private readonly StoreFixture _after = new();

    private string Path => System.IO.Path.Combine(_folder, "cache.snapshot");

    public void Dispose()
    {
        _before.Dispose();
        _after.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public void Write_and_load_leave_only_snapshot_and_lock_file()
    {
        using SnapshotFile file = SnapshotFile.Open(Path);
        Assert.Null(file.Load(_after.Store));
        _before.Set("k", "v");
        SnapshotWritten written = file.Write(_before.Store);
        Assert.Equal((1, 1, new FileInfo(Path).Length), (written.Entries, written.Caches, written.Bytes));
        Assert.Equal(1, file.Load(_after.Store)!.Entries);
        Assert.Equal("v", _after.Get("k"));
        Assert.True(file.Progress > written.Bytes);
        Assert.Equal([Path, Path + ".lock"], Files());
    }

    [Fact]
    public void File_is_readable_only_by_owner()
    {
        using SnapshotFile file = SnapshotFile.Open(Path);
        file.Write(_before.Store);
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(Path));
        }
    }

    [Fact]
    public void Open_removes_partial_file_and_loads_last_snapshot()
    {
        using (SnapshotFile file = SnapshotFile.Open(Path))
        {
            _before.Set("k", "v");
            file.Write(_before.Store);
        }

        File.WriteAllBytes(Path + ".writing", File.ReadAllBytes(Path)[..100]);
        using SnapshotFile next = SnapshotFile.Open(Path);
        Assert.Equal([Path, Path + ".lock"], Files());
        Assert.Equal(1, next.Load(_after.Store)!.Entries);
    }

    [Fact]
    public void Cancelled_write_keeps_last_snapshot()
    {
        using SnapshotFile file = SnapshotFile.Open(Path);
        _before.Set("k", "v");
        file.Write(_before.Store);
        byte[] good = File.ReadAllBytes(Path);
        Assert.Throws<OperationCanceledException>(() => file.Write(_before.Store, new CancellationToken(canceled: true)));
        Assert.Equal(good, File.ReadAllBytes(Path));
        Assert.Equal([Path, Path + ".lock"], Files());
    }

    [Fact]
    public void S6_Load_renames_damaged_file_and_next_load_finds_no_file()
    {
        using SnapshotFile file = SnapshotFile.Open(Path, _after.Clock);
        foreach (string aside in (string[])["", "-2", "-3"])
        {
            file.Write(_before.Store);
            byte[] torn = File.ReadAllBytes(Path)[..^1];
            File.WriteAllBytes(Path, torn);
            SnapshotException error = Assert.Throws<SnapshotException>(() => file.Load(_after.Store));
            Assert.Equal((SnapshotFault.Damaged, $"{Path}.aside-20231114T221320{aside}"), (error.Fault, error.AsidePath));
            Assert.Equal(torn, File.ReadAllBytes(error.AsidePath!));
            Assert.Null(file.Load(_after.Store));
        }
    }

    [Fact]
    public void S6_Load_leaves_foreign_file_unchanged()
    {
        File.WriteAllText(Path, "dear diary");
        using SnapshotFile file = SnapshotFile.Open(Path);
        SnapshotException error = Assert.Throws<SnapshotException>(() => file.Load(_after.Store));
        Assert.Equal((SnapshotFault.Foreign, null), (error.Fault, error.AsidePath));
        Assert.Equal("dear diary", File.ReadAllText(Path));
    }

    [Fact]
    public void Write_follows_symbolic_link_and_keeps_it()
    {
        string target = System.IO.Path.Combine(_folder, "target");
        File.CreateSymbolicLink(Path, target);
        using SnapshotFile file = SnapshotFile.Open(Path);
        file.Write(_before.Store);
        Assert.Equal(target, new FileInfo(Path).LinkTarget);
        Assert.Equal([Path, target, target + ".lock"], Files());
    }

    [Fact]
    public void Open_fails_while_another_process_has_file_open()
    {
        using (SnapshotFile file = SnapshotFile.Open(Path))
        {
            Assert.Throws<IOException>(() => SnapshotFile.Open(Path));
        }

        SnapshotFile.Open(Path).Dispose();
    }

    [Fact]
    public void Open_fails_when_path_is_a_folder_or_not_writable()
    {
        Assert.ThrowsAny<IOException>(() => SnapshotFile.Open(System.IO.Path.Combine(_folder, "none", "cache.snapshot")));
        Assert.ThrowsAny<IOException>(() => SnapshotFile.Open(_folder));
        Exception refused = Assert.ThrowsAny<Exception>(() => SnapshotFile.Open("/proc/cache.snapshot"));
        Assert.True(refused is IOException or UnauthorizedAccessException);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Flushed_cache_is_not_restored_after_crash(bool isDeleted)
    {
        _before.Store.CreateCache("other");
        _before.Store.Find("other")!.Set("k"u8, "v"u8, StoreFixture.Hour);
        _before.Set("k", "v");
        using (SnapshotFile file = SnapshotFile.Open(Path))
        {
            file.Write(_before.Store);
            file.NoteFlush("other", isDeleted);
        }

        // Simulates a crash of the process while it was writing another record.
        File.AppendAllText(Path + ".flushed", "half a note");
        using (SnapshotFile next = SnapshotFile.Open(Path))
        {
            SnapshotLoaded loaded = next.Load(_after.Store)!;
            Assert.Equal((1, 1), (loaded.Entries, loaded.Flushed));
            Assert.Equal(isDeleted ? ["cache"] : ["cache", "other"], _after.Store.CacheNames);
            next.NoteFlush("cache", isDeleted: false);
        }

        using StoreFixture third = new();
        using SnapshotFile last = SnapshotFile.Open(Path);
        Assert.Equal((0, 2), (last.Load(third.Store)!.Entries, last.Load(third.Store)!.Flushed));
        third.Set("new", "v");
        last.Write(third.Store);
        Assert.Equal([Path, Path + ".lock"], Files());
        using StoreFixture fourth = new();
        Assert.Equal(1, last.Load(fourth.Store)!.Entries);
    }

    [Fact]
    public void Flush_just_before_rename_is_applied_on_load()
    {
        using SnapshotFile file = SnapshotFile.Open(Path);
        _before.Set("k", "v");

        // The writer reads the clock for the last time after it has listed the caches.
        int looks = 0;
        _before.Clock.Asked = () => looks++;
        file.Write(_before.Store);
        int last = looks;
        looks = 0;
        _before.Clock.Asked = () =>
        {
            if (++looks == last)
            {
                _before.Store.FlushCache("cache");
                file.NoteFlush("cache", isDeleted: false);
            }
        };
        Assert.Equal(1, file.Write(_before.Store).Entries);
        _before.Clock.Asked = null;
        Assert.Equal(last, looks);
        SnapshotLoaded loaded = file.Load(_after.Store)!;
        Assert.Equal((0, 1), (loaded.Entries, loaded.Flushed));
    }

    [TmpfsFact]
    public void Snapshot_is_deleted_when_flush_cannot_be_recorded()
    {
        using SmallDisk disk = new(System.IO.Path.Combine(_folder, "disk"));
        using SnapshotFile file = SnapshotFile.Open(System.IO.Path.Combine(disk.Path, "cache.snapshot"));
        file.Write(_before.Store);
        Assert.Throws<IOException>(() => Fill(System.IO.Path.Combine(disk.Path, "filler")));
        Assert.Throws<IOException>(() => file.NoteFlush("cache", isDeleted: false));
        Assert.False(File.Exists(file.Path));
    }

    [TmpfsFact]
    public void S6_Full_disk_keeps_last_snapshot_and_later_writes_succeed()
    {
        using SmallDisk disk = new(System.IO.Path.Combine(_folder, "disk"));
        using SnapshotFile file = SnapshotFile.Open(System.IO.Path.Combine(disk.Path, "cache.snapshot"));
        _before.Set("k", "v");
        file.Write(_before.Store);
        for (int i = 0; i < 1_500; i++)
        {
            _before.Set($"{i}", new string('x', 1_000));
        }

        Assert.Throws<IOException>(() => file.Write(_before.Store));
        Assert.Equal(2, Directory.GetFiles(disk.Path).Length);
        Assert.Equal(1, file.Load(_after.Store)!.Entries);
        disk.Grow();
        Assert.Equal(1_501, file.Write(_before.Store).Entries);
        Assert.Equal(1_501, file.Load(_after.Store)!.Entries);
    }

    private static void Fill(string path)
    {
        using FileStream filler = new(path, new FileStreamOptions { Mode = FileMode.Create, Access = FileAccess.Write, BufferSize = 0 });
        for (int megabytes = 0; megabytes < 8; megabytes++)
        {
            filler.Write(new byte[1 << 20]);
        }
    }

    private string[] Files() => [.. Directory.GetFiles(_folder).Order(StringComparer.Ordinal)];
}
