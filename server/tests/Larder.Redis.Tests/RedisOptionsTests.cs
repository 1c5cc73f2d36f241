namespace Larder.Redis.Tests;

/// <summary>Tests of parsing the store's URL.</summary>
public sealed class RedisOptionsTests
{
    [Fact]
    public void Parse_reads_hosts_user_and_password()
    {
        RedisOptions options = RedisOptions.Parse("redis://larder:p%40ss%2Fw:ord@h1:7000,10.0.0.2,[::1]:7002/0");
        Assert.Equal([new RedisEndPoint("h1", 7000), new RedisEndPoint("10.0.0.2", 6379), new RedisEndPoint("::1", 7002)], options.EndPoints);
        Assert.Equal(("larder", "p@ss/w:ord"), (options.User, options.Password));
        Assert.Null(options.Tls);
        Assert.Equal("redis://h1:7000,10.0.0.2:6379,[::1]:7002", options.ToString());
    }

    [Fact]
    public void Parse_reads_TLS_scheme_and_password_without_a_user()
    {
        RedisOptions options = RedisOptions.Parse("rediss://:secret@h");
        Assert.Equal((null, "secret"), (options.User, options.Password));
        Assert.NotNull(options.Tls);
        options = RedisOptions.Parse("redis://h/");
        Assert.Equal((null, null), (options.User, options.Password));
    }

    [Theory]
    [InlineData("")]
    [InlineData("h1:7000")]
    [InlineData("http://h1:7000")]
    [InlineData("redis://")]
    [InlineData("redis://h1:7000,")]
    [InlineData("redis://h1:0")]
    [InlineData("redis://h1:65536")]
    [InlineData("redis://h1:x")]
    [InlineData("redis://h1:")]
    [InlineData("redis://::1:7000")]
    [InlineData("redis://[::1]x")]
    [InlineData("redis://[::1")]
    [InlineData("redis://[]:1")]
    [InlineData("redis://h1/1")]
    [InlineData("redis://h1?x=1")]
    [InlineData("redis://user@h1")]
    public void Parse_rejects_invalid_url(string url) => Assert.Throws<FormatException>(() => RedisOptions.Parse(url));

    [Fact]
    public void Separate_password_belongs_to_the_user_of_the_url()
    {
        RedisOptions options = RedisOptions.Parse("redis://larder@h1", "p@ss%2F");
        Assert.Equal(("larder", "p@ss%2F"), (options.User, options.Password));
        Assert.Equal((null, "secret"), (RedisOptions.Parse("redis://h1", "secret").User, RedisOptions.Parse("redis://h1", "secret").Password));
        Assert.Contains(
            "remove one",
            Assert.Throws<FormatException>(() => RedisOptions.Parse("redis://larder:a@h1", "b")).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Error_messages_and_ToString_omit_the_password()
    {
        foreach (string url in new[] { "redis://u:s3cret@h1:x", "redis://u:s3cret@h1/9", "redis://u:s3cret@" })
        {
            Assert.DoesNotContain("s3cret", Assert.Throws<FormatException>(() => RedisOptions.Parse(url)).Message, StringComparison.Ordinal);
        }

        Assert.DoesNotContain("s3cret", RedisOptions.Parse("redis://u:s3cret@h1").ToString(), StringComparison.Ordinal);
    }
}
