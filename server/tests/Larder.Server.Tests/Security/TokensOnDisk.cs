using System.Security.Cryptography;
using System.Text;

namespace Larder.Server.Tests.Security;

/// <summary>A token file in its own folder. The secret of a token is <c>secret-</c> followed by its id.</summary>
internal sealed class TokensOnDisk : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("larder-tokens-").FullName;

    public TokensOnDisk(params string[] entries) => Write(entries);

    public string Path => System.IO.Path.Combine(_folder, "tokens.json");

    public static string SecretOf(string id) => $"secret-{id}";

    public static string DigestOf(string secret) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(secret)));

    /// <summary>Returns an entry with one grant.</summary>
    public static string Entry(string id, string role, string cache, string? prefix = null, string? expires = null, params string[] secrets)
    {
        string digests = string.Join(',', (secrets.Length == 0 ? [SecretOf(id)] : secrets).Select(static each => $"\"{DigestOf(each)}\""));
        string until = expires is null ? "" : $", \"expires\": \"{expires}\"";
        string keys = prefix is null ? "" : $", \"keyPrefix\": \"{prefix}\"";
        return $$"""{"id": "{{id}}", "sha256": [{{digests}}]{{until}}, "grants": [{"role": "{{role}}", "cache": "{{cache}}"{{keys}}}]}""";
    }

    /// <summary>Returns an entry with one grant, which covers only topics.</summary>
    public static string TopicEntry(string id, string role, string cache) =>
        Entry(id, role, cache).Replace("\"role\"", "\"topics\"", StringComparison.Ordinal);

    public void Write(params string[] entries) => WriteText($$"""{"tokens": [{{string.Join(',', entries)}}]}""");

    /// <summary>Replaces the file atomically, in the same way as an orchestrator.</summary>
    public void WriteText(string text)
    {
        string aside = System.IO.Path.Combine(_folder, Guid.NewGuid().ToString("N"));
        File.WriteAllText(aside, text);
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(aside, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        }

        File.Move(aside, Path, overwrite: true);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
