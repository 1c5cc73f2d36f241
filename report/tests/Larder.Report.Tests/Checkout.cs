namespace Larder.Report.Tests;

/// <summary>The tree that the tests were built in.</summary>
internal static class Checkout
{
    /// <summary>The folder that holds <c>Larder.slnx</c>.</summary>
    public static string Root { get; } = Find(new DirectoryInfo(AppContext.BaseDirectory));

    private static string Find(DirectoryInfo? folder) =>
        folder is null || File.Exists(Path.Combine(folder.FullName, "Larder.slnx"))
            ? folder?.FullName ?? throw new InvalidOperationException("no folder above the tests holds Larder.slnx")
            : Find(folder.Parent);
}
