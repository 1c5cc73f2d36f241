namespace Larder.Server.Tests.Calls.Collections;

/// <summary>The transport of a data call.</summary>
public enum Transport
{
    Unary,
    Pipeline,
}
