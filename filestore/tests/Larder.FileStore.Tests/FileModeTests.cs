
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
    public void The_files_have_the_mode_asked_for_whatever_the_umask_and_else_are_their_owners_alone(UnixFileMode? asked, UnixFileMode expected)
    {
        using DistributedFileStoreCacheString cache = _folder.Open(o => o.UnixCreateMode = asked);
        Check(expected);
        cache.Set("a", "1");
        Assert.True(cache.Engine().Compact());
        Check(expected);
    }

    [Fact]
    public void A_mode_that_an_administrator_gave_survives_compaction()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        File.SetUnixFileMode(_folder.CacheFile, Group);
        cache.Set("a", "1");
        Assert.True(cache.Engine().Compact());
        Assert.Equal(Group, File.GetUnixFileMode(_folder.CacheFile));
    }

    [Fact]
    public void A_mode_by_which_the_owner_cannot_write_is_refused() =>
        Assert.Throws<ArgumentOutOfRangeException>("UnixCreateMode", () => _folder.Open(o => o.UnixCreateMode = UnixFileMode.UserRead));

    private void Check(UnixFileMode expected)
    {
        Assert.Equal(expected, File.GetUnixFileMode(_folder.CacheFile));
        Assert.Equal(expected, File.GetUnixFileMode(_folder.CacheFile + ".idx"));
    }
}
