using Larder.Server.Security;

namespace Larder.Server.Tests.Security;

public sealed class FileWatchTests : IDisposable
{
    private readonly string _path = Path.GetTempFileName();

    public void Dispose() => File.Delete(_path);

    [Fact]
    public void HasChanged_is_false_while_the_file_is_still_being_written()
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
    public void File_that_grew_while_being_read_counts_as_changed()
    {
        File.WriteAllText(_path, "first");
        FileWatch watch = new(_path);
        watch.Note();
        // The file grows after it has been read.
        File.AppendAllText(_path, " and more");
        Assert.False(watch.HasChanged());
        Assert.True(watch.HasChanged());
    }

    [Fact]
    public void Deletion_and_recreation_of_file_both_count_as_changes()
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
