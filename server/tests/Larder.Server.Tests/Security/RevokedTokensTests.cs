using System.Globalization;
using Larder.Harness.Clocks;
using Larder.Server.Security;

namespace Larder.Server.Tests.Security;

public sealed class RevokedTokensTests : IDisposable
{
    // Encoded explicit permissions with a single cache permission. It permits reads and writes in the cache "a".
    private static readonly byte[] Permissions = [0x12, 0x0B, 0x0A, 0x09, 0x0A, 0x07, 0x08, 0x01, 0x1A, 0x03, 0x0A, 0x01, 0x61];

    private readonly string _folder = Directory.CreateTempSubdirectory("larder-former-").FullName;
    private readonly ManualTime _time = new();
    private readonly RevokedTokens _former;

    public RevokedTokensTests() => _former = new RevokedTokens(_time);

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Revoked_token_is_remembered_for_a_limited_time()
    {
        _former.Add([DigestOf("gone")]);
        Assert.True(_former.Has("gone"));
        Assert.False(_former.Has("another"));
        Assert.False(_former.Has(""));
        Assert.False(_former.Has(new string('x', TokenDigest.MaxTokenCharacters + 1)));
        _time.Advance(RevokedTokens.KeptFor - TimeSpan.FromTicks(1));
        Assert.True(_former.Has("gone"));
        _time.Advance(TimeSpan.FromTicks(1));
        Assert.False(_former.Has("gone"));
        Assert.Equal(0, _former.Tokens);
    }

    [Theory]
    [InlineData(RevokedTokens.MaxTokens, true)]
    [InlineData(RevokedTokens.MaxTokens + 1, false)]
    [InlineData(10 * RevokedTokens.MaxTokens, false)]
    public void Number_of_revoked_tokens_is_limited_and_oldest_is_forgotten(int gone, bool isFirstKnown)
    {
        for (int first = 0; first < gone; first += 1_000)
        {
            _former.Add(Enumerable.Range(first, Math.Min(1_000, gone - first)).Select(static number => DigestOf(Name(number))));
        }

        Assert.Equal(RevokedTokens.MaxTokens, _former.Tokens);
        Assert.Equal(isFirstKnown, _former.Has(Name(0)));
        Assert.True(_former.Has(Name(gone - 1)));
    }

    [Fact]
    public void Tokens_of_removed_signing_keys_are_remembered_for_limited_time()
    {
        List<string> signed = [];
        for (int file = 0; file <= RevokedTokens.MaxKeys; file++)
        {
            string path = Path.Combine(_folder, Name(file));
            TokenKeys.AddTo(path);
            TokenKeys keys = TokenKeys.Read(path);
            signed.Add(DisposableToken.Write("web", "", 1_000, Permissions, keys)!);
            _former.Add(keys);
        }

        Assert.Equal([false, true, true, true, true], signed.Select(_former.Has));
        Assert.False(_former.Has(signed[^1] + "A"));
        _time.Advance(RevokedTokens.KeptFor);
        Assert.DoesNotContain(true, signed.Select(_former.Has));
    }

    private static string Name(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static TokenDigest DigestOf(string token) => TokenDigest.TryOf(token, out TokenDigest digest) ? digest : default;
}
