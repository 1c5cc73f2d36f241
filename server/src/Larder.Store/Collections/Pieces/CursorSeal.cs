using System.Security.Cryptography;

namespace Larder.Store.Collections;

/// <summary>
/// Cursors as callers see them: encrypted, as a place in a collection is a hash, which no stranger may know (<see cref="KeyHash"/>), and authenticated, so that
/// one of another server, cache or collection, or of a caller's own making, is known as such. A nonce, what is sealed, and a tag.
/// </summary>
internal static class CursorSeal
{
    private const int NonceBytes = 12;
    private const int TagBytes = 16;

    // Of this process: after a restart no cursor opens any more.
    private static readonly byte[] s_key = RandomNumberGenerator.GetBytes(16);

    /// <param name="place">What the cursor says.</param>
    /// <param name="about">The collection's key.</param>
    public static byte[] Close(ReadOnlySpan<byte> place, ReadOnlySpan<byte> about)
    {
        byte[] cursor = new byte[NonceBytes + place.Length + TagBytes];
        Span<byte> nonce = cursor.AsSpan(0, NonceBytes);
        RandomNumberGenerator.Fill(nonce);
        using AesGcm cipher = new(s_key, TagBytes);
        cipher.Encrypt(nonce, place, cursor.AsSpan(NonceBytes, place.Length), cursor.AsSpan(NonceBytes + place.Length), about);
        return cursor;
    }

    /// <param name="cursor">Anybody's bytes.</param>
    /// <param name="about">The collection's key.</param>
    /// <param name="place">Receives what it says.</param>
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
