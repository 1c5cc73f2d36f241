using System.Text;

namespace Larder.Server.Fleet;

/// <summary>Creates the prefix of all item keys of a cache: <c>L&lt;cache id&gt;.&lt;generation&gt;:</c>. Both numbers are in base 36.</summary>
internal static class KeyPrefix
{
    private const string Digits = "0123456789abcdefghijklmnopqrstuvwxyz";

    public static byte[] Of(long id, long generation) => Bytes(id, generation, ":");

    /// <summary>Returns the first part of the keys that the gateway stores next to the cache's items. Scans of items do not find these keys.</summary>
    public static byte[] OfCompanions(long id, long generation) => Bytes(id, generation, ";");

    /// <summary>Returns the pattern of all keys of a generation, for SCAN: those of the items and those next to them.</summary>
    public static byte[] Pattern(long id, long generation) => Bytes(id, generation, "[:;]*");

    /// <summary>Returns <c>&lt;cache id&gt;.</c>. In the keys of the cache's topics, it follows the part that determines the slot.</summary>
    public static byte[] OfTopics(long id) => Encoding.ASCII.GetBytes($"{Number(id)}.");

    private static byte[] Bytes(long id, long generation, string end) => Encoding.ASCII.GetBytes($"L{Number(id)}.{Number(generation)}{end}");

    private static string Number(long number)
    {
        Span<char> text = stackalloc char[13];
        int start = text.Length;
        do
        {
            text[--start] = Digits[(int)(number % Digits.Length)];
            number /= Digits.Length;
        }
        while (number > 0);
        return new string(text[start..]);
    }
}
