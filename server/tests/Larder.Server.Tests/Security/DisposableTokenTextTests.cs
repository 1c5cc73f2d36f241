using System.Buffers.Text;
using System.Text;
using Larder.Protocol;
using Larder.Server.Security;
using Larder.Wire;
using static Larder.Server.Tests.Security.PermissionsOf;

namespace Larder.Server.Tests.Security;

/// <summary>Tests that a disposable token has exactly one text form. Other texts that decode to the same bytes are invalid (AUTH-18).</summary>
public sealed class DisposableTokenTextTests : DisposableTokenServer
{
    // Encoded explicit permissions with a single cache permission. It permits reads and writes in the cache "a".
    private static readonly byte[] Permissions = [0x12, 0x0B, 0x0A, 0x09, 0x0A, 0x07, 0x08, 0x01, 0x1A, 0x03, 0x0A, 0x01, 0x61];

    [Theory]
    [InlineData("other unused bits")]
    [InlineData("padding")]
    [InlineData("percent padding")]
    [InlineData("space")]
    [InlineData("tab")]
    [InlineData("space before the signature")]
    public async Task AUTH_18_token_with_noncanonical_encoding_is_rejected(string how)
    {
        string key = (await IssueAsync("web", Of(Scope(PermissionRole.ReadWrite)))).ApiKey;
        string other = Encoded(key, how);
        Assert.NotEqual(key, other);
        Assert.Equal((StatusCode.Ok, StatusCode.Ok), await GetAsync(key, "k"));
        Assert.Null(DisposableToken.Verify(other, TokenKeys.Read(Keys)));

        // A header value cannot end with white space.
        if (!how.Contains("space", StringComparison.Ordinal) && how != "tab")
        {
            Assert.Equal((StatusCode.Unauthenticated, StatusCode.Unauthenticated), await GetAsync(other, "k"));
        }
    }

    [Theory]
    [InlineData("other unused bits")]
    [InlineData("padding")]
    [InlineData("space")]
    public void AUTH_18_claims_with_noncanonical_encoding_are_rejected(string how)
    {
        TokenKeys keys = TokenKeys.Read(Keys);
        for (int length = 1; length <= 3; length++)
        {
            // The last digit of the base64 text has unused bits if the number of encoded bytes is not a multiple of three. The lengths 1 to 3 cover all cases.
            string token = DisposableToken.Write("web", new string('i', length), 4_102_444_800, Permissions, keys)!;
            Assert.NotNull(DisposableToken.Verify(token, keys));
            string claims = token[..token.LastIndexOf('.')];
            if (how == "other unused bits" && (claims.Length - "larder_d1.".Length) % 4 == 0)
            {
                continue;
            }

            Assert.Null(DisposableToken.Verify(Signed(Encoded(claims, how), keys), keys));
        }
    }

    [Theory]
    [InlineData(253_402_300_799, true)]
    [InlineData(253_402_300_800, false)]
    [InlineData(long.MaxValue, false)]
    [InlineData(-1, false)]
    public void Claims_expiring_after_the_year_9999_are_rejected(long expires, bool isTaken)
    {
        TokenKeys keys = TokenKeys.Read(Keys);
        Assert.Equal(isTaken, DisposableToken.Verify(DisposableToken.Write("web", "", expires, Permissions, keys)!, keys) is not null);
    }

    [Fact]
    public void Claims_with_non_UTF8_issuer_are_rejected()
    {
        TokenKeys keys = TokenKeys.Read(Keys);
        byte[] claims = [0x0A, 0x01, 0xFF, 0x18, 0x01, 0x22, (byte)Permissions.Length, .. Permissions];
        Assert.Null(DisposableToken.Verify(Signed("larder_d1." + Base64Url.EncodeToString(claims), keys), keys));
    }

    private static string Signed(string message, TokenKeys keys)
    {
        byte[] signature = new byte[32];
        keys.Sign(Encoding.UTF8.GetBytes(message), signature);
        return $"{message}.{Base64Url.EncodeToString(signature)}";
    }

    private static string Encoded(string text, string how) => how switch
    {
        "padding" => text + "=",
        "percent padding" => text + "%",
        "space" => text + " ",
        "tab" => text + "\t",
        "space before the signature" => text.Insert(text.LastIndexOf('.') + 1, " "),
        _ => text[..^1] + Next(text[^1]),
    };

    // Returns the next base64 digit. In a text of 43 digits, the last digit has two unused bits. In a text of 42 digits, it has four. The unused bits are zero
    // in the canonical form.
    private static char Next(char digit)
    {
        const string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        return digits[digits.IndexOf(digit, StringComparison.Ordinal) + 1];
    }
}
