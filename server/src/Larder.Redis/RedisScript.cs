using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using System.Text;

namespace Larder.Redis;

/// <summary>
/// A Lua script, which is called by its SHA-1 hash. Scripts in <see cref="RedisOptions.Scripts"/> are loaded when connecting. If the engine does not have a
/// script (NOSCRIPT), its source is sent.
/// </summary>
public sealed class RedisScript
{
    private readonly byte[] _text;
    private readonly byte[] _digest;

    /// <param name="name">A human-readable name.</param>
    /// <param name="text">The Lua source.</param>
    [SuppressMessage("Security", "CA5350", Justification = "The engine's own name for a script.")]
    public RedisScript(string name, string text)
    {
        Name = name;
        _text = Encoding.UTF8.GetBytes(text);
        _digest = Encoding.ASCII.GetBytes(Convert.ToHexStringLower(SHA1.HashData(_text)));
    }

    /// <summary>Gets the human-readable name.</summary>
    public string Name { get; }

    /// <summary>Gets the Lua source, in UTF-8.</summary>
    public ReadOnlySpan<byte> Text => _text;

    /// <summary>Gets the SHA-1 hash of the source as 40 hexadecimal digits.</summary>
    public ReadOnlySpan<byte> Digest => _digest;
}
