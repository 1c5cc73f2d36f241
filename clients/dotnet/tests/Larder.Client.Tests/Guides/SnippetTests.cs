namespace Larder.Client.Tests.Guides;

/// <summary>
/// Tests that the C# blocks of a page, in order, compile as one program. The code in each test declares the names that the page uses without declaring them.
/// </summary>
public sealed class SnippetTests
{
    [Fact]
    public async Task Api_page_snippets_compile() => Assert.Equal("", await SnippetCompiler.CompileAsync(
        "docs/api.md",
        """
        public sealed record Price(string Name, decimal Euros);

        public sealed class PriceJson
        {
            public static PriceJson Default { get; } = new();

            public System.Text.Json.Serialization.Metadata.JsonTypeInfo<Price> Price => throw new NotSupportedException();
        }

        public static class PageNames
        {
            public static CancellationToken cancellationToken => default;

            public static ValueTask<byte[]> RenderAsync(CancellationToken cancelled) => new([]);
        }
        """));

    [Fact]
    public async Task Dotnet_guide_snippets_compile() => Assert.Equal("", await SnippetCompiler.CompileAsync(
        "docs/guides/dotnet.md",
        """
        public sealed class Vault
        {
            public ValueTask<string> ReadAsync(string name, CancellationToken cancelled) => new(name);
        }

        public static class PageNames
        {
            public static Vault vault { get; } = new();

            public static WebApplicationBuilder builder { get; } = WebApplication.CreateBuilder();
        }

        public static class ShopJson
        {
            public static System.Text.Json.Serialization.Metadata.IJsonTypeInfoResolver Default => throw new NotSupportedException();
        }
        """));
}
