namespace Larder.Conformance.Tests;

/// <summary>The tree that these tests were built in.</summary>
internal static class Tree
{
    /// <summary>Its top folder: the nearest upwards that has the vectors.</summary>
    public static string Root { get; } = Find();

    private static string Find()
    {
        DirectoryInfo? folder = new(AppContext.BaseDirectory);
        while (folder is not null && !Directory.Exists(Path.Combine(folder.FullName, "protocol/vectors")))
        {
            folder = folder.Parent;
        }

        return folder?.FullName ?? throw new DirectoryNotFoundException("protocol/vectors");
    }
}
