using Larder.Tuner.PeerServers;

// Starts a server of another library on a free loopback port, prints 'listening on HOST:PORT', and serves until standard input ends.
return args switch
{
    ["garnet"] => await GarnetHost.RunUntilEndAsync(),
    ["grpc-aspnetcore"] => await AspNetCoreHost.RunUntilEndAsync(),
    _ => Usage(),
};

static int Usage()
{
    Console.Error.WriteLine("usage: Larder.Tuner.PeerServers garnet|grpc-aspnetcore");
    return 2;
}
