namespace Larder.Conformance;

/// <summary>A token file in a temporary folder. The folder is deleted on disposal.</summary>
internal sealed class AccessFile : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("larder-access-").FullName;

    public string FilePath => Path.Combine(_folder, "tokens.json");

    /// <summary>Replaces the contents of the file with these tokens, atomically.</summary>
    public void Write(string cache, IEnumerable<AccessToken> tokens)
    {
        string aside = Path.Combine(_folder, "aside.json");
        File.WriteAllText(aside, $$"""{"tokens": [{{string.Join(",\n", tokens.Select(each => each.Entry(cache)))}}]}""");
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(aside, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        }

        File.Move(aside, FilePath, overwrite: true);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
