using Larder.Report.Runs;
using Larder.Report.Tests.Runs;
using Larder.Tuner.Report;

namespace Larder.Tuner.Tests.Report;

public sealed class ReportCommandTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("larder-report-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public void Single_run_is_written_in_every_format()
    {
        DirectoryInfo output = _folder.CreateSubdirectory("out");
        Assert.Equal(0, ReportCommand.Run([Written("a")], output));
        Assert.Equal(["a.csv", "a.html", "a.json", "a.md"], output.GetFiles().Select(file => file.Name).Order(StringComparer.Ordinal));
        Assert.Contains(Assert.Single(output.GetDirectories()).GetFiles(), file => file.Name == "rates.svg");
    }

    [Fact]
    public void Several_runs_produce_one_page()
    {
        Assert.Equal(0, ReportCommand.Run([Written("a"), Written("b"), Written("c")], _folder));
        string page = File.ReadAllText(Path.Combine(_folder.FullName, ReportCommand.Overlay));
        Assert.All(["A: a.json", "B: b.json", "C: c.json"], name => Assert.Contains(name, page, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(6, 0)]
    [InlineData(7, 2)]
    [InlineData(60, 2)]
    public void Too_many_runs_are_rejected(int runs, int exit) =>
        Assert.Equal(exit, ReportCommand.Run([.. Enumerable.Repeat(Written("a"), runs)], _folder));

    [Fact]
    public void Unreadable_run_produces_no_report()
    {
        var wrong = new FileInfo(Path.Combine(_folder.FullName, "wrong.json"));
        File.WriteAllText(wrong.FullName, "[]");
        Assert.Equal(4, ReportCommand.Run([Written("a"), wrong], _folder));
        Assert.Equal(4, ReportCommand.Run([new FileInfo("/nowhere/run.json")], null));
        Assert.False(File.Exists(Path.Combine(_folder.FullName, ReportCommand.Overlay)));
    }

    private FileInfo Written(string name)
    {
        var file = new FileInfo(Path.Combine(_folder.FullName, $"{name}.json"));
        File.WriteAllText(file.FullName, TuneRunFile.Write(SampleRun.Make()));
        return file;
    }
}
