using System.Text;

namespace Larder.Redis;

/// <summary>Where MOVED or ASK sends a command.</summary>
/// <param name="Slot">The slot that it is about.</param>
/// <param name="Target">The node to go to.</param>
internal sealed record Redirect(int Slot, RedisEndPoint Target)
{
    /// <summary>Redirects that a command follows before it fails (FLEET-3).</summary>
    public const int Most = 5;

    /// <summary>Reads <c>MOVED 3999 127.0.0.1:6381</c>. A host that is empty is <paramref name="sender"/>'s. Null where it is none.</summary>
    public static Redirect? Parse(ReadOnlySpan<byte> text, RedisEndPoint sender)
    {
        string[] words = Encoding.UTF8.GetString(text).Split(' ');
        if (words.Length < 3 || !RespNumber.TryParseInteger(Encoding.UTF8.GetBytes(words[1]), out long slot) || slot is < 0 or >= KeySlot.Count)
        {
            return null;
        }

        // An IPv6 address has colons of its own.
        int colon = words[2].LastIndexOf(':');
        if (colon < 0 || !RespNumber.TryParseInteger(Encoding.UTF8.GetBytes(words[2][(colon + 1)..]), out long port) || port is < 1 or > 65_535)
        {
            return null;
        }

        string host = words[2][..colon];
        return new Redirect((int)slot, new RedisEndPoint(host.Length == 0 ? sender.Host : host, (int)port));
    }
}
