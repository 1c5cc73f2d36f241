using Larder.Conformance.Hostile;

namespace Larder.Conformance.Tests.Hostile;

public sealed class HostileCallsTests
{
    [Theory]
    [InlineData("hit")]
    [InlineData("error")]
    [InlineData("error Timeout get failed: no response within 150 ms")]
    public void Permitted_answer_is_not_reported(string answer) => Assert.Null(HostileCalls.Judge(answer));

    [Theory]
    [InlineData($"{HostileCalls.NoResponse} get in 30 s with a deadline of 150 ms")]
    [InlineData("error Sideways the code is not defined")]
    public void Hung_call_and_undefined_error_code_are_reported(string answer) => Assert.Equal(answer, HostileCalls.Judge(answer));
}
