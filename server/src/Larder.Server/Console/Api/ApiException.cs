using Larder.Server.Calls;
using Larder.Wire;
using Microsoft.AspNetCore.Http;

namespace Larder.Server.Console.Api;

/// <summary>Ends a request of the page with a status and a sentence for its reader.</summary>
internal sealed class ApiException(int status, string message) : Exception(message)
{
    /// <summary>The HTTP status.</summary>
    public int Status { get; } = status;

    /// <summary>Why a scan does not go on. A cursor that is out of date is nobody's fault: the page begins again.</summary>
    public static ApiException OfScan(CallError error) => error.Code switch
    {
        StatusCode.NotFound => new ApiException(StatusCodes.Status404NotFound, error.Message),
        StatusCode.InvalidArgument or StatusCode.FailedPrecondition => new ApiException(StatusCodes.Status410Gone, error.Message),
        _ => new ApiException(StatusCodes.Status503ServiceUnavailable, error.Message),
    };

    /// <summary>The key holds another type by now.</summary>
    public static ApiException OtherType() =>
        new(StatusCodes.Status409Conflict, "the key holds another type than it did: find it again");
}
