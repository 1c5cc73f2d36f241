using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;

namespace Larder.Server.Security;

/// <summary>
/// The keys by which disposable tokens are signed: 256 random bits each. The first signs; the others still hold for what they have signed, so that a key can be
/// changed for another.
/// </summary>
internal sealed class TokenKeys
{
    /// <summary>The option of their file.</summary>
    public const string Option = "--token-key";

    /// <summary>Keys of a file at most.</summary>
    public const int MaxKeys = 4;

    // By its beginning a key that was published by mistake is found, and a token's file is not taken for a key's.
    private const string Beginning = "larder_key_";
    private const int KeyBytes = 32;

    // A line is 54 characters; the rest is comments.
    private const int MaxFileBytes = 16 * 1024;

    private readonly byte[][] _keys;

    private TokenKeys(byte[][] keys) => _keys = keys;

    /// <summary>A key as its file has it, on a line of its own.</summary>
    public static string Make() => Text(RandomNumberGenerator.GetBytes(KeyBytes));

    /// <summary>Reads a file: a key a line; empty lines and those that begin with # are passed over.</summary>
    /// <exception cref="ServerOptionsException">It cannot be read, or is no such file; the text has no key.</exception>
    public static TokenKeys Read(string path)
    {
        byte[] bytes = OwnFile.Read(Option, path, MaxFileBytes, $"has more than {MaxFileBytes} bytes; it has one to {MaxKeys} keys, a line each");
        return Parse(path, Encoding.UTF8.GetString(bytes));
    }

    /// <summary>
    /// Puts a new key before those of a file, of which as many stay as may be; makes the file, for its owner alone, where it is not there.
    /// </summary>
    /// <exception cref="ServerOptionsException">The file is none of keys.</exception>
    /// <exception cref="IOException">It cannot be written.</exception>
    public static void AddTo(string path)
    {
        string target = OwnFile.TargetOf(path);
        IEnumerable<byte[]> before = File.Exists(target) ? Read(target)._keys.Take(MaxKeys - 1) : [];
        string[] lines = ["# Keys of disposable tokens: the first signs, all hold. Secret.", Make(), .. before.Select(Text), ""];
        OwnFile.Replace(target, Encoding.UTF8.GetBytes(string.Join('\n', lines)));
    }

    /// <summary>Signs with the first key.</summary>
    public void Sign(ReadOnlySpan<byte> message, Span<byte> signature) => HMACSHA256.HashData(_keys[0], message, signature);

    /// <summary>Whether one of the keys signed this.</summary>
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

    /// <summary>Whether others are the same, in the same order.</summary>
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
                throw new ServerOptionsException($"{Option} {path}: line {number} is no key; 'larder token key' makes one");
            }

            keys.Add(key);
        }

        return keys.Count is >= 1 and <= MaxKeys
            ? new TokenKeys([.. keys])
            : throw new ServerOptionsException($"{Option} {path} has {keys.Count} keys; it has one to {MaxKeys}, a line each: 'larder token key' makes one");
    }
}
