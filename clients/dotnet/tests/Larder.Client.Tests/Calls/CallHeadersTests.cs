using Larder.Wire;

namespace Larder.Client.Tests;

public sealed class CallHeadersTests
{
    [Fact]
    public void CallHeaders_caches_at_most_1024_of_a_million_cache_names()
    {
        CallHeaders headers = new(CredentialProvider.Local(), Configurations.Laptop.V1());
        for (int name = 0; name < 1_000_000; name++)
        {
            headers.For($"cache-{name}");
        }

        Assert.InRange(headers.Names, 1, 1_024);
        Assert.NotSame(headers.For("cache-1"), headers.For("cache-2"));
        Assert.Same(headers.For("cache-1"), headers.For("cache-1"));
    }
}
