using System.Globalization;
using BenchmarkDotNet.Reports;
using Larder.Harness;
using Larder.Harness.Processes;

namespace Larder.FileStore.Bench;

/// <summary>The time, machine and commit of a measurement.</summary>
internal sealed record Provenance(string Date, string Commit, string Machine)
{
    internal static string RepositoryRoot => Checkout.Root;

    internal static Provenance Of(Summary summary) => new(
        DateTime.UtcNow.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture) + " UTC",
        CommitNow(),
        string.Join("; ", summary.HostEnvironmentInfo.ToFormattedString().Select(line => line.Trim())));

    internal static string CommitNow() =>
        Git("rev-parse --short HEAD") + (Git("status --porcelain -- filestore/src filestore/bench/Larder.FileStore.Bench").Length > 0 ? " and changes" : "");

    private static string Git(string arguments) =>
        ProgramRun.Of(new ProgramCommand("git", "git", arguments.Split(' ')) { Folder = Checkout.Root }).Output.Trim();
}
