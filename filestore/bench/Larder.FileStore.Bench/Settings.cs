using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Toolchains.InProcess.Emit;
using Perfolizer.Horology;

namespace Larder.FileStore.Bench;

/// <summary>Short runs in one process, so that the file store and its peers run under the same conditions. Results are medians of seven iterations.</summary>
internal sealed class Settings : ManualConfig
{
    public Settings()
    {
        AddJob(Job.Default.WithToolchain(InProcessEmitToolchain.Instance)
            .WithWarmupCount(3).WithIterationCount(7).WithIterationTime(TimeInterval.FromMilliseconds(100)));
        AddDiagnoser(MemoryDiagnoser.Default);
        AddColumnProvider(DefaultColumnProviders.Instance);
        AddColumn(StatisticColumn.Median);
        AddExporter(MarkdownExporter.GitHub);
        AddLogger(ConsoleLogger.Default);
    }
}
