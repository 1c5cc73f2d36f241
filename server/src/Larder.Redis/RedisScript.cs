using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using System.Text;

namespace Larder.Redis;

/// <summary>
/// A Lua script, sent by its SHA-1. Those named in <see cref="RedisOptions.Scripts"/> are loaded on connecting; where the engine does not have it (NOSCRIPT) it
/// is sent in full.
/// </summary>
public sealed class RedisScript
{
    private readonly byte[] _text;
    private readonly byte[] _digest;

    /// <param name="name">For people.</param>
    /// <param name="text">The Lua source.</param>
    [SuppressMessage("Security", "CA5350", Justification = "The engine's own name for a script.")]
    public RedisScript(string name, string text)
    {
        Name = name;
        _text = Encoding.UTF8.GetBytes(text);
        _digest = Encoding.ASCII.GetBytes(Convert.ToHexStringLower(SHA1.HashData(_text)));
    }

    /// <summary>For people.</summary>
    public string Name { get; }

    /// <summary>The Lua source, UTF-8.</summary>
    public ReadOnlySpan<byte> Text => _text;

    /// <summary>Its SHA-1 in 40 hexadecimal digits.</summary>
    public ReadOnlySpan<byte> Digest => _digest;
}
