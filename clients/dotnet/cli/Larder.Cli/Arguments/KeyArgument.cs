using System.CommandLine;
using Larder.Client;

namespace Larder.Cli;

/// <summary>An item's key as it is typed: text, or hexadecimal where an option says so.</summary>
/// <param name="name">What it is called in the help and where it is refused.</param>
/// <param name="description">Whose key it is.</param>
internal sealed class KeyArgument(string name = "key", string description = "The item's key")
{
    private readonly Argument<string> _key = new(name) { Description = description };
    private readonly Option<bool> _hexKey = new("--hex-key") { Description = "The key is given in hexadecimal" };

    public void AddTo(Command command)
    {
        command.Add(_key);
        command.Add(_hexKey);
    }

    /// <summary>The key's bytes.</summary>
    /// <exception cref="ArgumentException">It is no hexadecimal.</exception>
    public CacheBytes Of(ParseResult parsed)
    {
        string key = parsed.GetValue(_key)!;
        return parsed.GetValue(_hexKey) ? Hexadecimal.Parse(key, _key.Name) : key;
    }

    /// <summary>The key's bytes, as sent.</summary>
    public byte[] BytesOf(ParseResult parsed)
    {
        string key = parsed.GetValue(_key)!;
        return parsed.GetValue(_hexKey) ? Hexadecimal.Parse(key, _key.Name) : System.Text.Encoding.UTF8.GetBytes(key);
    }
}
