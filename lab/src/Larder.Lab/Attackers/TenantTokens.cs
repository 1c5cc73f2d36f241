using System.Security.Cryptography;
using System.Text;

namespace Larder.Lab.Attackers;

/// <summary>A file with tokens, and a file with the key for disposable tokens. Both are in a temporary folder.</summary>
internal sealed class TenantTokens : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("larder-attackers-").FullName;
    private readonly Dictionary<string, string> _secrets;

    public TenantTokens()
    {
        (string Id, string Grants)[] entries =
        [
            ("neighbour", Tenant("cache")), ("companion", Tenant("cache")), ("tenant", Tenant("cache")), ("tenant-reader", Role("read", "cache")),
            ("attacker", Tenant("attacked")), ("attacker-reader", Role("read", "attacked")), ("operator", Role("admin", "*")),
        ];
        _secrets = entries.ToDictionary(entry => entry.Id, _ => Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(32)));
        WriteOwn(File, $$"""{"tokens": [{{string.Join(',', entries.Select(entry => Entry(entry.Id, entry.Grants)))}}]}""");
        WriteOwn(KeyFile, $"larder_key_{Convert.ToBase64String(RandomNumberGenerator.GetBytes(32)).TrimEnd('=').Replace('+', '-').Replace('/', '_')}\n");
    }

    /// <summary>Gets the path of the token file.</summary>
    public string File => Path.Combine(_folder, "tokens.json");

    /// <summary>Gets the path of the key file.</summary>
    public string KeyFile => Path.Combine(_folder, "tokens.key");

    /// <summary>Gets the token with the given id.</summary>
    public string this[string id] => _secrets[id];

    /// <inheritdoc/>
    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private string Entry(string id, string grants)
    {
        string digest = Convert.ToHexStringLower(SHA256.HashData(Encoding.ASCII.GetBytes(_secrets[id])));
        return $$"""{"id": "{{id}}", "sha256": ["{{digest}}"], "grants": [{{grants}}]}""";
    }

    private static string Tenant(string cache) => $$"""{{Role("readwrite", cache)}}, {"topics": "readwrite", "cache": "{{cache}}"}""";

    private static string Role(string role, string cache) => $$"""{"role": "{{role}}", "cache": "{{cache}}"}""";

    // The server rejects a file that other users can read.
    private static void WriteOwn(string path, string text)
    {
        FileStreamOptions own = new() { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
        {
            own.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        using StreamWriter file = new(path, own);
        file.Write(text);
    }
}
