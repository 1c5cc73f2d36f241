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
    public void A_store_is_written_and_loaded_and_nothing_is_left_beside_it_but_the_lock()
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
    public void Nobody_but_the_owner_may_read_it()
    {
        using SnapshotFile file = SnapshotFile.Open(Path);
        file.Write(_before.Store);
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(Path));
        }
    }

    [Fact]
    public void What_a_killed_process_left_half_written_is_gone_and_the_last_good_one_loaded()
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
    public void One_that_is_cancelled_leaves_the_last_good_one()
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
    public void S6_a_damaged_file_is_kept_aside_whole_and_the_next_start_finds_none()
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
    public void S6_somebody_elses_file_is_left_as_it_is()
    {
        File.WriteAllText(Path, "dear diary");
        using SnapshotFile file = SnapshotFile.Open(Path);
        SnapshotException error = Assert.Throws<SnapshotException>(() => file.Load(_after.Store));
        Assert.Equal((SnapshotFault.Foreign, null), (error.Fault, error.AsidePath));
        Assert.Equal("dear diary", File.ReadAllText(Path));
    }

    [Fact]
    public void A_link_is_followed_and_stays_one()
    {
        string target = System.IO.Path.Combine(_folder, "target");
        File.CreateSymbolicLink(Path, target);
        using SnapshotFile file = SnapshotFile.Open(Path);
        file.Write(_before.Store);
        Assert.Equal(target, new FileInfo(Path).LinkTarget);
        Assert.Equal([Path, target, target + ".lock"], Files());
    }

    [Fact]
    public void A_file_that_another_has_open_is_refused_until_it_is_let_go_of()
    {
        using (SnapshotFile file = SnapshotFile.Open(Path))
        {
            Assert.Throws<IOException>(() => SnapshotFile.Open(Path));
        }

        SnapshotFile.Open(Path).Dispose();
    }

    [Fact]
    public void A_folder_that_is_missing_or_takes_no_files_and_a_path_that_is_a_folder_are_refused_at_once()
    {
        Assert.ThrowsAny<IOException>(() => SnapshotFile.Open(System.IO.Path.Combine(_folder, "none", "cache.snapshot")));
        Assert.ThrowsAny<IOException>(() => SnapshotFile.Open(_folder));
        Exception refused = Assert.ThrowsAny<Exception>(() => SnapshotFile.Open("/proc/cache.snapshot"));
        Assert.True(refused is IOException or UnauthorizedAccessException);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_was_flushed_or_deleted_after_the_last_snapshot_does_not_come_back_after_a_crash(bool isDeleted)
    {
        _before.Store.CreateCache("other");
        _before.Store.Find("other")!.Set("k"u8, "v"u8, StoreFixture.Hour);
        _before.Set("k", "v");
        using (SnapshotFile file = SnapshotFile.Open(Path))
        {
            file.Write(_before.Store);
            file.NoteFlush("other", isDeleted);
        }

        // As if the process had crashed while it wrote another record.
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
    public void A_flush_between_the_list_of_caches_and_the_last_rename_holds_too()
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
    public void Where_a_flush_cannot_be_noted_the_snapshot_goes()
    {
        using SmallDisk disk = new(System.IO.Path.Combine(_folder, "disk"));
        using SnapshotFile file = SnapshotFile.Open(System.IO.Path.Combine(disk.Path, "cache.snapshot"));
        file.Write(_before.Store);
        Assert.Throws<IOException>(() => Fill(System.IO.Path.Combine(disk.Path, "filler")));
        Assert.Throws<IOException>(() => file.NoteFlush("cache", isDeleted: false));
        Assert.False(File.Exists(file.Path));
    }

    [TmpfsFact]
    public void S6_a_full_disk_leaves_the_last_good_one_and_works_again_when_there_is_room()
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
