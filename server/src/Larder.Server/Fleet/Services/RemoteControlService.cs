using System.Buffers;
using Google.Protobuf;
using Larder.Server.Calls;
using Larder.Server.Services;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <summary>Implements <see cref="ControlService"/> on a gateway. Uses the directory that all gateways share.</summary>
internal static class RemoteControlService
{
    public static void Map(RpcRouter router, RemoteGateway gateway)
    {
        MapChange(router, gateway, "CreateCache", DirectoryChange.Create);
        MapChange(router, gateway, "DeleteCache", DirectoryChange.Delete);
        MapChange(router, gateway, "FlushCache", DirectoryChange.Flush);
        router.MapUnary(ControlService.Path("ListCaches"), (request, response, context) =>
        {
            NameRequest.Decode(request, context);
            if (!gateway.Directory.IsKnown)
            {
                throw CallRouting.Failure(context, FleetErrors.NotReady);
            }

            IEnumerable<string> names = gateway.Directory.Names.Where(name => ControlService.CanSee(context, name));
            response.WriteWhole(ControlService.List(names.Select(static name => (name, 0L)), gateway.Rules));
            return default;
        });
    }

    // The responses have no fields, so nothing is written.
    private static void MapChange(RpcRouter router, RemoteGateway gateway, string rpc, DirectoryChange change) =>
        router.MapUnary(ControlService.Path(rpc), (request, _, context) =>
        {
            string name = NameRequest.Decode(request, context, out ulong maxBytes);
            ControlService.RequireName(name, context);
            if (change == DirectoryChange.Create && maxBytes != 0)
            {
                throw CallRouting.Failure(context, FleetErrors.NoQuotas);
            }

            return ChangeAsync(gateway, change, name, context);
        });

    private static async ValueTask ChangeAsync(RemoteGateway gateway, DirectoryChange change, string name, RpcContext context)
    {
        DirectoryOutcome outcome;
        try
        {
            outcome = await gateway.Directory.ChangeAsync(change, name).ConfigureAwait(false);
        }
        catch (FleetQueryException error)
        {
            throw CallRouting.Failure(context, FleetErrors.Of(error.Failure));
        }

        CallError? refusal = outcome switch
        {
            DirectoryOutcome.Done => null,
            DirectoryOutcome.TooMany => new CallError(
                StatusCode.ResourceExhausted,
                $"the fleet already has the maximum of {FleetLimits.MaxCaches} caches; delete one first"),
            _ when change == DirectoryChange.Create => ControlService.Exists(name),
            _ => CallError.CacheNotFound(name),
        };
        if (refusal is not null)
        {
            throw CallRouting.Failure(context, refusal);
        }
    }
}
