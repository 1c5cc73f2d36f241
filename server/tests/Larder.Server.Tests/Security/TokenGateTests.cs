using Larder.Server.Security;
using Larder.Wire;

namespace Larder.Server.Tests.Security;

public sealed class TokenGateTests
{
    [Fact]
    public void Check_accepts_any_token_when_no_token_is_configured()
    {
        Assert.Null(new TokenGate(null, TimeProvider.System).Check(Headers("")));
        Assert.Null(new TokenGate(null, TimeProvider.System).Check(Headers("anything")));
    }

    [Fact]
    public void A1_missing_or_wrong_token_is_rejected_without_revealing_the_token()
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
