using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;

namespace Larder.Server.Security;

/// <summary>
/// The keys that sign disposable tokens. Each key has 256 random bits. The first key signs new tokens. The other keys still verify earlier tokens, so that keys
/// can be rotated.
/// </summary>
internal sealed class TokenKeys
{
    /// <summary>The command-line option that sets the path of the key file.</summary>
    public const string Option = "--token-key";

    /// <summary>The maximum number of keys in a file.</summary>
    public const int MaxKeys = 4;

    // The prefix makes a leaked key recognizable, and prevents a token file from being mistaken for a key file.
    private const string Beginning = "larder_key_";
    private const int KeyBytes = 32;

    // The maximum size of a key file. A line has 54 characters; the remaining space is for comments.
    private const int MaxFileBytes = 16 * 1024;

    private readonly byte[][] _keys;

    private TokenKeys(byte[][] keys) => _keys = keys;

    /// <summary>Generates a key in its text form, which is one line of a key file.</summary>
    public static string Make() => Text(RandomNumberGenerator.GetBytes(KeyBytes));

    /// <summary>Reads a key file. Each line contains one key. Empty lines and lines that start with # are ignored.</summary>
    /// <exception cref="ServerOptionsException">The file cannot be read, is invalid or contains no key.</exception>
    public static TokenKeys Read(string path)
    {
        byte[] bytes = PrivateFile.Read(Option, path, MaxFileBytes, $"exceeds {MaxFileBytes} bytes; a key file must have 1 to {MaxKeys} keys, one per line");
        return Parse(path, Encoding.UTF8.GetString(bytes));
    }

    /// <summary>
    /// Inserts a new key at the beginning of a file and keeps as many of the old keys as the maximum allows. If the file does not exist, creates it; only its
    /// owner can access it.
    /// </summary>
    /// <exception cref="ServerOptionsException">The existing file is not a key file.</exception>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public static void AddTo(string path)
    {
        string target = PrivateFile.TargetOf(path);
        IEnumerable<byte[]> before = File.Exists(target) ? Read(target)._keys.Take(MaxKeys - 1) : [];
        string[] lines = ["# Keys of disposable tokens: the first signs, all hold. Secret.", Make(), .. before.Select(Text), ""];
        PrivateFile.Replace(target, Encoding.UTF8.GetBytes(string.Join('\n', lines)));
    }

    /// <summary>Signs a message with the first key.</summary>
    public void Sign(ReadOnlySpan<byte> message, Span<byte> signature) => HMACSHA256.HashData(_keys[0], message, signature);

    /// <summary>Returns whether any of the keys created the signature.</summary>
    public bool HasSigned(ReadOnlySpan<byte> message, ReadOnlySpan<byte> signature)
    {
        Span<byte> right = stackalloc byte[HMACSHA256.HashSizeInBytes];
        foreach (byte[] key in _keys)
        {
            HMACSHA256.HashData(key, message, right);
            if (CryptographicOperations.FixedTimeEquals(right, signature))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Returns whether the other instance has the same keys in the same order.</summary>
    public bool AreSameAs(TokenKeys? others) =>
        others is not null && _keys.Length == others._keys.Length && _keys.Zip(others._keys).All(static pair => pair.First.AsSpan().SequenceEqual(pair.Second));

    private static string Text(byte[] key) => Beginning + Base64Url.EncodeToString(key);

    private static TokenKeys Parse(string path, string text)
    {
        List<byte[]> keys = [];
        int number = 0;
        foreach (string line in text.Split('\n').Select(static each => each.Trim()))
        {
            number++;
            if (line.Length == 0 || line[0] == '#')
            {
                continue;
            }

            bool isKey = line.StartsWith(Beginning, StringComparison.Ordinal);
            byte[] key = [];
            if (!isKey || !CanonicalBase64Url.TryDecode(line.AsSpan(Beginning.Length), out key) || key.Length != KeyBytes)
            {
                throw new ServerOptionsException($"{Option} {path}: line {number} is not a valid key; create one with 'larder token key'");
            }

            keys.Add(key);
        }

        return keys.Count is >= 1 and <= MaxKeys
            ? new TokenKeys([.. keys])
            : throw new ServerOptionsException(
                $"{Option} {path} must have 1 to {MaxKeys} keys, one per line, but has {keys.Count}; create one with 'larder token key'");
    }
}
