using Larder.Report.Runs;
using Larder.Report.Tests.Runs;
using Larder.Tuner.Report;

namespace Larder.Tuner.Tests.Report;

public sealed class CompareCommandTests
{
    [Fact]
    public void Compare_rejects_different_machines_unless_forced()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("larder-compare-");
        try
        {
            (FileInfo? a, FileInfo? b, string? page) = (
                new FileInfo(Path.Combine(folder.FullName, "a.json")),
                new FileInfo(Path.Combine(folder.FullName, "b.json")),
                Path.Combine(folder.FullName, "compare.html"));
            TuneRun run = SampleRun.Make();
            File.WriteAllText(a.FullName, TuneRunFile.Write(run));
            File.WriteAllText(b.FullName, TuneRunFile.Write(run with { Machine = run.Machine with { Cpu = "Another" } }));
            Assert.Equal(3, CompareCommand.Run(a, b, evenUnlike: false, [], page));
            Assert.False(File.Exists(page));
            Assert.Equal(0, CompareCommand.Run(a, b, evenUnlike: true, ["rate<-5%"], page));
            Assert.Contains("different machines", File.ReadAllText(page), StringComparison.Ordinal);
            Assert.Contains("B: 2 rounds were rejected", File.ReadAllText(page), StringComparison.Ordinal);
            Assert.Equal(4, CompareCommand.Run(a, new FileInfo("/nowhere/b.json"), evenUnlike: false, [], page));
            Assert.Equal(2, CompareCommand.Run(a, a, evenUnlike: false, ["speed<-5%"], page));
            File.WriteAllText(b.FullName, TuneRunFile.Write(run with { Proved = run.Proved! with { RatePerSecond = 50_000 } }));
            Assert.Equal(1, CompareCommand.Run(a, b, evenUnlike: false, ["rate<-5%"], page));
            Assert.Equal(0, CompareCommand.Run(b, a, evenUnlike: false, ["rate<-5%"], page));
            File.WriteAllText(b.FullName, TuneRunFile.Write(run with { Version = 1 }));
            Assert.Equal(4, CompareCommand.Run(a, b, evenUnlike: false, ["rate<-5%"], page));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}
