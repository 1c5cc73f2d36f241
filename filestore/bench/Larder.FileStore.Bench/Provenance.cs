using System.Diagnostics;
using System.Globalization;
using BenchmarkDotNet.Reports;

namespace Larder.FileStore.Bench;

/// <summary>When, where and at which commit a figure was measured.</summary>
internal sealed record Provenance(string Date, string Commit, string Machine)
{
    internal static string RepositoryRoot { get; } = FindRoot();

    internal static Provenance Of(Summary summary) => new(
        DateTime.UtcNow.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture) + " UTC",
        CommitNow(),
        string.Join("; ", summary.HostEnvironmentInfo.ToFormattedString().Select(line => line.Trim())));

    internal static string CommitNow() =>
        Git("rev-parse --short HEAD") + (Git("status --porcelain -- filestore/src filestore/bench/Larder.FileStore.Bench").Length > 0 ? " and changes" : "");

    private static string FindRoot()
    {
        DirectoryInfo? folder = new(AppContext.BaseDirectory);
        while (folder is not null && !File.Exists(Path.Combine(folder.FullName, "Larder.slnx")))
        {
            folder = folder.Parent;
        }
        return folder?.FullName ?? throw new InvalidOperationException("The benchmarks write their results into the repository: build and run them there.");
    }

    private static string Git(string arguments)
    {
        using Process git = Process.Start(new ProcessStartInfo("git", arguments) { WorkingDirectory = RepositoryRoot, RedirectStandardOutput = true })!;
        string output = git.StandardOutput.ReadToEnd().Trim();
        git.WaitForExit();
        return output;
    }
}
