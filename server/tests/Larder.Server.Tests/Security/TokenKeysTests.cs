using Larder.Server.Security;

namespace Larder.Server.Tests.Security;

/// <summary>The file of signing keys, and the tokens that they sign (AUTH-18, AUTH-21).</summary>
public sealed class TokenKeysTests : IDisposable
{
    // Permissions: explicit, one cache permission, read-write, cache "a".
    private static readonly byte[] Permissions = [0x12, 0x0B, 0x0A, 0x09, 0x0A, 0x07, 0x08, 0x01, 0x1A, 0x03, 0x0A, 0x01, 0x61];

    private readonly string _folder = Directory.CreateTempSubdirectory("larder-keys-").FullName;

    private string File => Path.Combine(_folder, "keys");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void A_key_is_made_for_its_owner_alone_and_older_ones_hold_beside_it_until_there_are_too_many()
    {
        List<string> tokens = [];
        for (int made = 0; made < TokenKeys.MaxKeys + 2; made++)
        {
            TokenKeys.AddTo(File);
            tokens.Add(DisposableToken.Write("web", "", 1_000, Permissions, TokenKeys.Read(File))!);
        }

        Assert.False(TokenTableFile.IsOpenToOthers(File));
        TokenKeys keys = TokenKeys.Read(File);
        Assert.Equal([false, false, true, true, true, true], tokens.Select(token => DisposableToken.Verify(token, keys) is not null));
    }

    [Theory]
    [InlineData("")]
    [InlineData("# nothing")]
    [InlineData("larder_key_")]
    [InlineData("larder_key_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")]
    [InlineData("larder_key_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB")]
    [InlineData("larder_key_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")]
    [InlineData("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")]
    [InlineData("{\"tokens\": []}")]
    public void What_is_no_file_of_keys_is_refused_and_its_text_is_not_repeated(string text)
    {
        System.IO.File.WriteAllText(File, text);
        ServerOptionsException error = Assert.Throws<ServerOptionsException>(() => TokenKeys.Read(File));
        Assert.DoesNotContain("AAAA", error.Message, StringComparison.Ordinal);
        Assert.Throws<ServerOptionsException>(() => TokenKeys.AddTo(File));
        Assert.Equal(text, System.IO.File.ReadAllText(File));
    }

    [Fact]
    public void A_file_that_is_too_large_or_has_a_key_too_many_is_refused()
    {
        System.IO.File.WriteAllLines(File, Enumerable.Range(0, TokenKeys.MaxKeys).Select(static _ => TokenKeys.Make()));
        Assert.NotNull(TokenKeys.Read(File));
        System.IO.File.AppendAllText(File, TokenKeys.Make());
        Assert.Throws<ServerOptionsException>(() => TokenKeys.Read(File));
        System.IO.File.WriteAllText(File, TokenKeys.Make() + "\n#" + new string(' ', 1 << 20));
        Assert.Throws<ServerOptionsException>(() => TokenKeys.Read(File));
    }

    [Fact]
    public void A_token_of_which_one_letter_is_another_is_nobodys()
    {
        TokenKeys.AddTo(File);
        TokenKeys keys = TokenKeys.Read(File);
        string token = DisposableToken.Write("web", "phone", 1_000, Permissions, keys)!;
        DisposableClaims claims = DisposableToken.Verify(token, keys)!;
        Assert.Equal(("web", "phone", 1_000), (claims.Issuer, claims.TokenId, claims.Expires.ToUnixTimeSeconds()));
        Assert.Equal(new Grant("a", Rights.ReadWrite), Assert.Single(claims.Grants));
        for (int place = 0; place < token.Length - 1; place++)
        {
            string other = token[..place] + (token[place] == 'A' ? 'B' : 'A') + token[(place + 1)..];
            Assert.Null(DisposableToken.Verify(other, keys));
        }

        Assert.Null(DisposableToken.Verify(token[..^1], keys));
        Assert.Null(DisposableToken.Verify(token + "A", keys));
        Assert.Null(DisposableToken.Verify(token[..token.LastIndexOf('.')], keys));
    }

    [Theory]
    [InlineData("larder_d1.")]
    [InlineData("larder_d1..")]
    [InlineData("larder_d1.AA.AA")]
    [InlineData("larder_d1.\u00e4.\u00e4")]
    public void What_only_begins_as_a_token_is_nobodys(string token)
    {
        TokenKeys.AddTo(File);
        Assert.Null(DisposableToken.Verify(token, TokenKeys.Read(File)));
    }
}
