
namespace Larder.FileStore.Tests;

public sealed class FileModeTests : IDisposable
{
    private const UnixFileMode Owner = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const UnixFileMode Group = Owner | UnixFileMode.GroupRead | UnixFileMode.GroupWrite;
    private readonly ScratchFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(null, Owner)]
    [InlineData(Group, Group)]
    public void Files_use_configured_mode_and_default_to_owner_only(UnixFileMode? asked, UnixFileMode expected)
    {
        using DistributedFileStoreCacheString cache = _folder.Open(o => o.UnixCreateMode = asked);
        Check(expected);
        cache.Set("a", "1");
        Assert.True(cache.Engine().Compact());
        Check(expected);
    }

    [Fact]
    public void Compaction_keeps_file_mode_set_by_administrator()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        File.SetUnixFileMode(_folder.CacheFile, Group);
        cache.Set("a", "1");
        Assert.True(cache.Engine().Compact());
        Assert.Equal(Group, File.GetUnixFileMode(_folder.CacheFile));
    }

    [Fact]
    public void Open_rejects_mode_without_owner_write_permission() =>
        Assert.Throws<ArgumentOutOfRangeException>("UnixCreateMode", () => _folder.Open(o => o.UnixCreateMode = UnixFileMode.UserRead));

    private void Check(UnixFileMode expected)
    {
        Assert.Equal(expected, File.GetUnixFileMode(_folder.CacheFile));
        Assert.Equal(expected, File.GetUnixFileMode(_folder.CacheFile + ".idx"));
    }
}
