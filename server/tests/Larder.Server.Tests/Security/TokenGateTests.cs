using Larder.Server.Security;
using Larder.Wire;

namespace Larder.Server.Tests.Security;

public sealed class TokenGateTests
{
    [Fact]
    public void Without_a_token_everything_passes_even_an_empty_authorization()
    {
        Assert.Null(new TokenGate(null, TimeProvider.System).Check(Headers("")));
        Assert.Null(new TokenGate(null, TimeProvider.System).Check(Headers("anything")));
    }

    [Fact]
    public void A1_a_missing_and_a_wrong_token_are_unauthenticated_and_the_text_does_not_say_the_token()
    {
        TokenGate gate = new("sesame-7", TimeProvider.System);
        foreach (string token in (string[])["", "wrong", "sesame-", "sesame-77"])
        {
            Status? status = gate.Check(Headers(token));
            Assert.Equal(StatusCode.Unauthenticated, status?.Code);
            Assert.DoesNotContain("sesame", status?.Message, StringComparison.Ordinal);
        }

        Assert.Null(gate.Check(Headers("sesame-7")));
    }

    private static RpcRequestHeaders Headers(string token) => new(("authorization", token));
}
