using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Larder.Client;

/// <summary>
/// Healthy if the server answers a ping within the client's deadline. Unhealthy, with the reason, if it does not or if the client cannot be created.
/// </summary>
internal sealed class LarderHealthCheck(Func<CacheClient> clientOf) : IHealthCheck
{
    public async Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        CacheClient client;
        try
        {
            client = clientOf();
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            // The cause is an invalid setting or a missing certificate. If this threw, the endpoint would return a 500 without a reason.
            return new HealthCheckResult(context.Registration.FailureStatus, e.Message, e);
        }
        CacheResult answer = await client.PingAsync(cancellationToken).ConfigureAwait(false);
        Dictionary<string, object> data = new()
        {
            ["inFlight"] = client.InFlight,
            ["queued"] = client.Queued,
            ["connections"] = client.Connections,
        };
        return answer is { Error: { } error }
            ? new HealthCheckResult(context.Registration.FailureStatus, error.Message, error.Exception, data)
            : HealthCheckResult.Healthy("The server responds.", data);
    }
}
