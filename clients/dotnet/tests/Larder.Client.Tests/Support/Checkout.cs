namespace Larder.Client.Tests.Support;

/// <summary>The files of the checkout that the tests were built in.</summary>
internal static class Checkout
{
    /// <summary>A file's text, by its path from the root.</summary>
    public static string Read(string path)
    {
        DirectoryInfo folder = new(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, path)))
        {
            folder = folder.Parent!;
        }

        return File.ReadAllText(Path.Combine(folder.FullName, path));
    }
}
