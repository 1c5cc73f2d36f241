using Larder.Server.Security;

namespace Larder.Server.Tests.Security;

/// <summary>Tests of the file of signing keys, and of the tokens that the keys sign (AUTH-18, AUTH-21).</summary>
public sealed class TokenKeysTests : IDisposable
{
    // Encoded explicit permissions with a single cache permission. It permits reads and writes in the cache "a".
    private static readonly byte[] Permissions = [0x12, 0x0B, 0x0A, 0x09, 0x0A, 0x07, 0x08, 0x01, 0x1A, 0x03, 0x0A, 0x01, 0x61];

    private readonly string _folder = Directory.CreateTempSubdirectory("larder-keys-").FullName;

    private string File => Path.Combine(_folder, "keys");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Key_file_is_private_and_keeps_only_the_newest_keys()
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
    public void Invalid_key_file_is_rejected_without_repeating_its_text(string text)
    {
        System.IO.File.WriteAllText(File, text);
        ServerOptionsException error = Assert.Throws<ServerOptionsException>(() => TokenKeys.Read(File));
        Assert.DoesNotContain("AAAA", error.Message, StringComparison.Ordinal);
        Assert.Throws<ServerOptionsException>(() => TokenKeys.AddTo(File));
        Assert.Equal(text, System.IO.File.ReadAllText(File));
    }

    [Fact]
    public void Oversized_key_file_or_too_many_keys_are_rejected()
    {
        System.IO.File.WriteAllLines(File, Enumerable.Range(0, TokenKeys.MaxKeys).Select(static _ => TokenKeys.Make()));
        Assert.NotNull(TokenKeys.Read(File));
        System.IO.File.AppendAllText(File, TokenKeys.Make());
        Assert.Throws<ServerOptionsException>(() => TokenKeys.Read(File));
        System.IO.File.WriteAllText(File, TokenKeys.Make() + "\n#" + new string(' ', 1 << 20));
        Assert.Throws<ServerOptionsException>(() => TokenKeys.Read(File));
    }

    [Fact]
    public void Token_with_one_changed_character_is_rejected()
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
    public void Malformed_token_is_rejected(string token)
    {
        TokenKeys.AddTo(File);
        Assert.Null(DisposableToken.Verify(token, TokenKeys.Read(File)));
    }
}
