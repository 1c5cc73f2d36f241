using Larder.Wire.Http2;

namespace Larder.Wire.Tests.Http2;

/// <summary>Contains assertions about connection errors.</summary>
internal static class Violation
{
    /// <summary>Asserts that <paramref name="act"/> ends the connection with this error code.</summary>
    public static void Ends(Http2ErrorCode code, Action act) => Assert.Equal(code, Assert.Throws<Http2ConnectionException>(act).Code);
}
