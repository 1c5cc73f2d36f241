using System.Security.Cryptography;

namespace Larder.Store.Collections;

/// <summary>
/// Encrypts and authenticates the cursors that callers see. A position in a collection is a hash, which must stay secret (<see cref="KeyHash"/>).
/// Authentication rejects cursors of other servers, caches and collections, and forged ones. Format: nonce, ciphertext, tag.
/// </summary>
internal static class CursorSeal
{
    private const int NonceBytes = 12;
    private const int TagBytes = 16;

    // One key per process: cursors become invalid at a restart.
    private static readonly byte[] s_key = RandomNumberGenerator.GetBytes(16);

    /// <param name="place">The position to encrypt.</param>
    /// <param name="about">The collection's key, as associated data.</param>
    public static byte[] Close(ReadOnlySpan<byte> place, ReadOnlySpan<byte> about)
    {
        byte[] cursor = new byte[NonceBytes + place.Length + TagBytes];
        Span<byte> nonce = cursor.AsSpan(0, NonceBytes);
        RandomNumberGenerator.Fill(nonce);
        using AesGcm cipher = new(s_key, TagBytes);
        cipher.Encrypt(nonce, place, cursor.AsSpan(NonceBytes, place.Length), cursor.AsSpan(NonceBytes + place.Length), about);
        return cursor;
    }

    /// <param name="cursor">The cursor from the caller; untrusted.</param>
    /// <param name="about">The collection's key, as associated data.</param>
    /// <param name="place">Receives the decrypted position.</param>
    public static bool TryOpen(ReadOnlySpan<byte> cursor, ReadOnlySpan<byte> about, Span<byte> place)
    {
        if (cursor.Length != NonceBytes + place.Length + TagBytes)
        {
            return false;
        }

        using AesGcm cipher = new(s_key, TagBytes);
        try
        {
            cipher.Decrypt(cursor[..NonceBytes], cursor.Slice(NonceBytes, place.Length), cursor[^TagBytes..], place, about);
            return true;
        }
        catch (AuthenticationTagMismatchException)
        {
            return false;
        }
    }
}
