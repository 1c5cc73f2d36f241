using System.Text;

namespace Larder.Redis;

/// <summary>The target of a MOVED or ASK redirect.</summary>
/// <param name="Slot">The redirected slot.</param>
/// <param name="Target">The node to send the command to.</param>
internal sealed record Redirect(int Slot, RedisEndPoint Target)
{
    /// <summary>The maximum number of redirects of a command before it fails (FLEET-3).</summary>
    public const int Most = 5;

    /// <summary>
    /// Parses <c>MOVED 3999 127.0.0.1:6381</c>. An empty host means the host of <paramref name="sender"/>. Returns null if the text is invalid.
    /// </summary>
    public static Redirect? Parse(ReadOnlySpan<byte> text, RedisEndPoint sender)
    {
        string[] words = Encoding.UTF8.GetString(text).Split(' ');
        if (words.Length < 3 || !RespNumber.TryParseInteger(Encoding.UTF8.GetBytes(words[1]), out long slot) || slot is < 0 or >= KeySlot.Count)
        {
            return null;
        }

        // Search for the last colon, because an IPv6 address contains colons.
        int colon = words[2].LastIndexOf(':');
        if (colon < 0 || !RespNumber.TryParseInteger(Encoding.UTF8.GetBytes(words[2][(colon + 1)..]), out long port) || port is < 1 or > 65_535)
        {
            return null;
        }

        string host = words[2][..colon];
        return new Redirect((int)slot, new RedisEndPoint(host.Length == 0 ? sender.Host : host, (int)port));
    }
}
