using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Larder.Client;

/// <summary>Healthy where the server answers a ping within the client's deadline.</summary>
internal sealed class LarderHealthCheck(CacheClient client) : IHealthCheck
{
    public async Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        PingResponse answer = await client.PingAsync(cancellationToken).ConfigureAwait(false);
        Dictionary<string, object> data = new()
        {
            ["inFlight"] = client.InFlight,
            ["queued"] = client.Queued,
            ["connections"] = client.Connections,
        };
        return answer is PingResponse.Error error
            ? new HealthCheckResult(context.Registration.FailureStatus, error.Message, error.Failure.Exception, data)
            : HealthCheckResult.Healthy("The server answers.", data);
    }
}
