using System.CommandLine;
using Larder.Client;

namespace Larder.Cli;

/// <summary>An item's key as an argument: text, or hexadecimal if an option requests it.</summary>
/// <param name="name">The name in the help and in error messages.</param>
/// <param name="description">The description in the help.</param>
internal sealed class KeyArgument(string name = "key", string description = "The item's key")
{
    private readonly Argument<string> _key = new(name) { Description = description };
    private readonly Option<bool> _hexKey = new("--hex-key") { Description = "The key is hexadecimal" };

    public void AddTo(Command command)
    {
        command.Add(_key);
        command.Add(_hexKey);
    }

    /// <summary>Returns the key.</summary>
    /// <exception cref="ArgumentException">The text is not hexadecimal.</exception>
    public CacheBytes Of(ParseResult parsed)
    {
        string key = parsed.GetValue(_key)!;
        return parsed.GetValue(_hexKey) ? Hexadecimal.Parse(key, _key.Name) : key;
    }

    /// <summary>Returns the bytes of the key as they are sent to the server.</summary>
    public byte[] BytesOf(ParseResult parsed)
    {
        string key = parsed.GetValue(_key)!;
        return parsed.GetValue(_hexKey) ? Hexadecimal.Parse(key, _key.Name) : System.Text.Encoding.UTF8.GetBytes(key);
    }
}
