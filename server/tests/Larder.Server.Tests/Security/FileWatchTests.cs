using Larder.Server.Security;

namespace Larder.Server.Tests.Security;

public sealed class FileWatchTests : IDisposable
{
    private readonly string _path = Path.GetTempFileName();

    public void Dispose() => File.Delete(_path);

    [Fact]
    public void A_file_that_is_being_written_is_let_be_until_it_is_still()
    {
        FileWatch watch = new(_path);
        Assert.False(watch.HasChanged());
        for (int piece = 0; piece < 3; piece++)
        {
            File.AppendAllText(_path, "piece");
            Assert.False(watch.HasChanged());
        }

        Assert.True(watch.HasChanged());
        watch.Note();
        Assert.False(watch.HasChanged());
    }

    [Fact]
    public void A_file_that_grew_while_it_was_read_is_read_again_when_it_is_still()
    {
        File.WriteAllText(_path, "first");
        FileWatch watch = new(_path);
        watch.Note();
        // The file grows after it was read.
        File.AppendAllText(_path, " and more");
        Assert.False(watch.HasChanged());
        Assert.True(watch.HasChanged());
    }

    [Fact]
    public void A_file_that_goes_and_comes_back_is_seen_both_times()
    {
        FileWatch watch = new(_path);
        File.Delete(_path);
        Assert.False(watch.HasChanged());
        Assert.True(watch.HasChanged());
        watch.Note();
        File.WriteAllText(_path, "back");
        Assert.False(watch.HasChanged());
        Assert.True(watch.HasChanged());
    }
}
